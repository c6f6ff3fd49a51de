//! How many words of a line name its action: the program, its sub-command, and a sub-command of that.
//!
//! A pattern that leaves one of them open is about another action: `gh pr <1>` would warn of `gh pr list` because
//! `gh pr create` failed. The tables are data; of an unknown program only its name is certain.

use hindlore_errors::action::has_subcommands;

/// Programs whose first plain word is a sub-command, in addition to those of the shell (from the help text of each).
#[rustfmt::skip]
const WITH_VERBS: &[&str] = &[
    "alembic", "ansible-galaxy", "argocd", "artisan", "asdf", "astro", "bazel", "bun", "bunx", "cabal", "cdk", "consul",
    "dart", "dbt", "deno", "django-admin", "docker", "doctl", "eksctl", "expo", "fastlane", "firebase", "flask", "flux",
    "fly", "flutter", "fnm", "hatch", "heroku", "istioctl", "just", "k3d", "kind", "lerna", "minikube", "mise", "mix",
    "moon", "netlify", "ng", "nix", "nomad", "nox", "nvm", "nx", "opam", "packer", "pdm", "pipenv", "pipx", "pixi",
    "pnpx", "pod", "prisma", "pulumi", "pyenv", "rake", "rbenv", "rye", "sam", "sbt", "serverless", "skaffold", "sls",
    "stack", "supabase", "swift", "symfony", "tailscale", "task", "tofu", "turbo", "uvx", "vagrant", "vault", "vercel",
    "volta", "wrangler",
];
/// Programs whose sub-commands have sub-commands.
#[rustfmt::skip]
const WITH_TWO: &[&str] = &[
    "aws", "az", "bunx", "doctl", "fly", "gcloud", "gh", "glab", "npx", "pnpx", "supabase", "uvx", "vault", "wrangler",
];
/// Programs that run a script of the project by its name, and the words for it.
#[rustfmt::skip]
const RUNNERS: &[&str] = &[
    "npm", "pnpm", "yarn", "bun", "uv", "poetry", "pipenv", "pdm", "hatch", "rye", "pixi", "mise", "moon", "composer",
    "bundle", "deno", "nx", "turbo",
];
const RUN_WORDS: &[&str] = &["run", "run-script", "exec", "x", "dlx"];
/// Sub-commands with sub-commands, of any program.
#[rustfmt::skip]
const GROUPS: &[&str] = &[
    "compose", "remote", "stash", "worktree", "config", "submodule", "container", "image",
    "volume", "network", "system", "buildx", "pip", "tool", "repo", "state", "workspace", "component", "target",
    "toolchain", "env", "mod", "cache", "dlx", "auth", "db", "lfs", "bisect",
];

/// The number of words at the beginning of a command that name its action, where `first` is the word after the program.
pub fn naming_words(program: &str, first: Option<&str>) -> usize {
    let name = program.rsplit('/').next().unwrap_or(program);
    let Some(first) = first.filter(|word| !word.starts_with('-')) else {
        return 1;
    };
    if !has_subcommands(name) && !WITH_VERBS.contains(&name) {
        return 1;
    }
    let runs_a_script = RUNNERS.contains(&name) && RUN_WORDS.contains(&first);
    if WITH_TWO.contains(&name) || GROUPS.contains(&first) || runs_a_script {
        3
    } else {
        2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_action_is_named_by_one_to_three_words() {
        for (line, words) in [
            ("gh pr create", 3),
            ("npm run dev", 3),
            ("npm test", 2),
            ("flask run", 2),
            ("git push origin", 2),
            ("git remote add", 3),
            ("docker compose up", 3),
            ("docker run x", 2),
            ("uv run pytest", 3),
            ("git -C a status", 1),
            ("rm build", 1),
            ("KEEP amount", 1),
            ("make", 1),
        ] {
            let mut all = line.split(' ');
            let program = all.next().unwrap_or_default();
            assert_eq!(naming_words(program, all.next()), words, "{line}");
        }
    }
}
