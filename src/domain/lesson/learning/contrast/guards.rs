//! Steps that switch a guard off, request more rights, or discard the output: they are never the cure of a failure.
//!
//! Such a step works because nothing checks it any more. An agent that is taught to repeat it skips the hook, the
//! signature or the plan that people rely on, so a pair with such a step teaches nothing, whichever source suggests it.

use super::step_view::StepView;
use hindlore_errors::shell::{is_setting, program};

/// Programs in front of a command that give it more rights.
const MORE_RIGHTS: &[&str] = &["sudo", "doas", "su", "pkexec", "runas", "gsudo", "run0"];

/// Options of any program, by their beginning (from the manuals of git, curl, pip, cargo, docker, npm, apt).
#[rustfmt::skip]
const OPTIONS: &[&str] = &[
    "--no-verify", "--no-gpg", "--force", "--insecure", "--no-check", "--unsafe", "--allow-unsafe", "--allow-dirty",
    "--allow-root", "--dangerously", "--no-sandbox", "--privileged", "--break-system", "--trusted-host", "--auto-approve",
    "-auto-approve", "--no-strict", "--no-preserve-root", "--disable-verification", "--skip-verify", "--no-scripts-check",
    "--yolo", "--bypass", "--require-approval=never", "--tls-skip-verify", "--insecure-skip", "--admin",
    "--allow-unauthenticated", "--legacy-peer-deps",
];

/// Words of one program (from the manuals of each).
#[rustfmt::skip]
const OF_PROGRAM: &[(&str, &str, &[&str])] = &[
    ("git", "", &["stash"]), ("chmod", "", &["777", "0777", "a+rwx", "ugo+rwx", "o+w"]),
    ("terraform", "", &["--yes", "-y", "-lock=false"]), ("tofu", "", &["--yes", "-y", "-lock=false"]),
    ("pulumi", "", &["--yes", "-y"]), ("cdk", "", &["never"]), ("docker", "", &["root"]), ("podman", "", &["root"]),
    ("setenforce", "", &["0"]), ("ufw", "", &["disable"]), ("npm", "", &["strict-ssl"]),
];

/// Options of one letter, alone or in a bundle such as `-rf` (from the manuals of each): they skip a question,
/// overwrite or delete files, or take ignored ones.
#[rustfmt::skip]
const LETTERS: &[(&str, &str, &str)] = &[
    ("git", "commit", "n"), ("git", "push", "f"), ("git", "add", "f"), ("git", "clean", "fxX"), ("git", "branch", "fDM"),
    ("git", "checkout", "fB"), ("git", "switch", "fC"), ("git", "tag", "f"), ("git", "rm", "f"), ("git", "mv", "f"),
    ("rm", "", "f"), ("mv", "", "f"), ("cp", "", "f"), ("ln", "", "f"), ("curl", "", "k"), ("npm", "", "f"),
    ("docker", "rm", "f"), ("docker", "rmi", "f"), ("podman", "rm", "f"), ("podman", "rmi", "f"), ("umount", "", "fl"),
];

/// Parts of a line that override a check or discard the output, without blanks and in lower case.
#[rustfmt::skip]
const PARTS: &[&str] = &[
    "||true", "||:", "||exit0", ">/dev/null", "2>nul", ">$null", "2>&-", "sslverify=false", "sslverify\"false",
    "stricthostkeychecking=no", "strict-sslfalse", "sslverifyfalse", "core.hookspath=", "set+e;",
];

/// Parts of the names of variables and arguments that override a check when they are switched on.
#[rustfmt::skip]
const OVERRIDING_NAMES: &[&str] = &[
    "skip", "no_verify", "noverify", "insecure", "unsafe", "danger", "disable", "bypass", "force", "break_system",
    "override", "ignore_errors",
];
/// Parts of the names of variables that name a check, which `0`, `false`, `no` or `off` switches off.
const CHECKING_NAMES: &[&str] = &[
    "verify",
    "reject_unauthorized",
    "husky",
    "strict",
    "check",
    "validate",
];

/// Returns true if `worked` does without a guard, or with rights, that `failed` did not.
pub(super) fn gets_round(failed: &StepView, worked: &StepView) -> bool {
    if worked.is_tool_call() {
        let before = failed.leaves();
        return worked.leaves().iter().any(|leaf| {
            overrides(&leaf.path, &leaf.value)
                && !before.contains(leaf)
                && !failed.is_told(&leaf.path)
        });
    }
    let (before, after) = (folded(&failed.raw), folded(&worked.raw));
    if PARTS
        .iter()
        .any(|part| after.contains(part) && !before.contains(part))
    {
        return true;
    }
    let known: Vec<&str> = failed.raw.split_whitespace().collect();
    let mut commands = worked.raw.split(['|', ';', '&', '\n', '(']);
    commands.any(|command| {
        let words: Vec<&str> = command.split_whitespace().collect();
        words
            .iter()
            .any(|word| !known.contains(word) && is_guard_off(&words, word))
    })
}

fn is_guard_off(words: &[&str], word: &str) -> bool {
    let lower = word.to_lowercase();
    if let Some((name, value)) = word.split_once('=')
        && (is_setting(word) || word.starts_with("--"))
        && overrides(name, value)
    {
        return true;
    }
    let line = words.join(" ");
    let program = program(&line);
    let is_word_of = |(name, verb, list): &(&str, &str, &[&str])| {
        *name == program
            && (verb.is_empty() || words.contains(verb))
            && list.contains(&lower.as_str())
    };
    let is_letter_of = |(name, verb, letters): &(&str, &str, &str)| {
        let bundle = word.strip_prefix('-').unwrap_or_default();
        let is_bundle = !bundle.is_empty() && bundle.chars().all(|c| c.is_ascii_alphabetic());
        *name == program
            && (verb.is_empty() || words.contains(verb))
            && is_bundle
            && bundle.contains(|c: char| letters.contains(c))
    };
    // `+main` pushes by force.
    let is_forced_ref = program == "git" && words.contains(&"push") && word.starts_with('+');
    let first = words.iter().find(|word| !is_setting(word));
    (MORE_RIGHTS.contains(&word) && (first == Some(&word) || words.first() == Some(&word)))
        || OPTIONS.iter().any(|option| lower.starts_with(option))
        || OF_PROGRAM.iter().any(is_word_of)
        || LETTERS.iter().any(is_letter_of)
        || is_forced_ref
}

/// Returns true if a variable or an argument overrides a check.
fn overrides(name: &str, value: &str) -> bool {
    let name = name.to_lowercase();
    let value = value.to_lowercase();
    let is_off = matches!(value.as_str(), "0" | "false" | "no" | "off");
    let holds = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
    if is_off {
        return holds(CHECKING_NAMES) && !holds(OVERRIDING_NAMES);
    }
    let is_on = matches!(value.as_str(), "1" | "true" | "yes" | "on");
    let is_list = name.starts_with("skip") || name.starts_with("git_ssl_no_verify");
    holds(OVERRIDING_NAMES) && (is_on || is_list)
}

fn folded(line: &str) -> String {
    let kept = line.chars().filter(|c| !c.is_whitespace());
    kept.collect::<String>().to_lowercase()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::lesson::learning::contrast::step_view::view_of;

    #[test]
    fn no_way_around_a_guard_is_a_cure() {
        let gets_round = |failed: Value, worked: Value| {
            super::gets_round(&view_of(failed, Some("no")), &view_of(worked, None))
        };
        for (failed, worked) in [
            ("git commit -m x", "git commit --no-verify -m x"),
            ("git commit -m x", "git commit -n -m x"),
            ("git push origin a", "git push -f origin a"),
            ("git push origin a", "git push --force-with-lease origin a"),
            ("git push origin a", "git push origin +a"),
            ("rm x", "sudo rm x"),
            ("rm x", "doas rm x"),
            ("curl https://a", "curl -k https://a"),
            ("pip install x", "pip install --break-system-packages x"),
            ("pip install x", "PIP_BREAK_SYSTEM_PACKAGES=1 pip install x"),
            ("cargo publish", "cargo publish --allow-dirty"),
            ("git commit -m x", "HUSKY=0 git commit -m x"),
            ("git commit -m x", "SKIP=lint git commit -m x"),
            ("git fetch", "GIT_SSL_NO_VERIFY=1 git fetch"),
            ("git fetch", "git -c http.sslVerify=false fetch"),
            ("node a.js", "NODE_TLS_REJECT_UNAUTHORIZED=0 node a.js"),
            ("python a.py", "PYTHONHTTPSVERIFY=0 python a.py"),
            ("terraform apply", "terraform apply -auto-approve"),
            ("pulumi up", "pulumi up --yes"),
            ("cat x", "chmod 777 x && cat x"),
            ("make", "make || true"),
            ("make", "make 2>/dev/null; ls"),
            ("make", "make &> /dev/null"),
            ("docker run x", "docker run --privileged x"),
            ("kubectl apply -f a", "kubectl apply --validate=false -f a"),
            ("rm a", "rm -f a"),
            ("rm a", "rm -rf a"),
            ("git add .env", "git add -f .env"),
            ("git branch -d a", "git branch -D a"),
            ("git clean", "git clean -fdx"),
            ("docker rm a", "docker rm -f a"),
            ("curl -fsS https://a", "curl -fsSk https://a"),
            ("git fetch", "git config http.sslVerify false"),
            ("git pull", "git stash"),
            ("npm install", "npm install --legacy-peer-deps"),
            (
                "apt-get install -y a",
                "apt-get install -y --allow-unauthenticated a",
            ),
            ("ssh a", "ssh -o StrictHostKeyChecking=no a"),
        ] {
            assert!(gets_round(json!(failed), json!(worked)), "{worked}");
        }
    }

    #[test]
    fn other_changes_get_round_no_guard() {
        let gets_round = |failed: Value, worked: Value| {
            super::gets_round(&view_of(failed, Some("no")), &view_of(worked, None))
        };
        for (failed, worked) in [
            ("git push", "git push --set-upstream origin a"),
            ("git log -n 5", "git log -n 5 --oneline"),
            ("sudo apt install x", "sudo apt install y"),
            ("make 2>/dev/null", "make all 2>/dev/null"),
            ("npm run dev", "PORT=3001 npm run dev"),
            ("npm test", "CI=1 npm test"),
            ("git commit", "git commit -m 'no sudo here'"),
            ("cat x", "chmod +x x && cat x"),
            ("rm a", "rm -r a"),
            ("docker build .", "docker build -f a.Dockerfile ."),
            ("docker compose up", "docker compose -f a.yml up"),
            ("tar x a.tar", "tar -xf a.tar"),
            ("git log", "git log --format=%h"),
        ] {
            assert!(!gets_round(json!(failed), json!(worked)), "{worked}");
        }
        let call = |arguments: Value| json!({"name": "push", "arguments": arguments});
        let plain = call(json!({"to": "main"}));
        assert!(gets_round(
            plain.clone(),
            call(json!({"to": "main", "skip_checks": true}))
        ));
        assert!(!gets_round(plain, call(json!({"to": "main", "dry": true}))));
    }
}
