"""Uses the client that openapi-python-client made: adds bullets, searches, pages and deletes.

Usage: client.py URL FOLDER, with the folder that holds the package `hindlore_client`.
"""

import sys

sys.path.insert(0, sys.argv[2])

from hindlore_client import Client
from hindlore_client.api.bullets import bullets_search, create_bullet, delete_bullet, get_bullet, list_bullets
from hindlore_client.api.session import create_memories
from hindlore_client.models import (
    AddBullet,
    BulletsResponse,
    CreateMemories,
    DeltaApplied,
    DetailResponse,
    Problem,
    SessionMessage,
)

client = Client(base_url=sys.argv[1])
me = {"client": client, "hindlore_learner": "python-client"}

empty = list_bullets.sync(**me)
assert isinstance(empty, BulletsResponse) and empty.bullets == [], empty

texts = [f"Check the pump of hall {hall} before the shift." for hall in ("north", "south", "east")]
made = [create_bullet.sync(body=AddBullet(text=text, tags=["pump"]), **me) for text in texts]
assert all(isinstance(one, DetailResponse) for one in made), made
assert [one.content for one in made] == texts, made

found = bullets_search.sync(words="hall south", **me)
assert isinstance(found, BulletsResponse) and found.bullets[0].content == texts[1], found

pages, after = [], None
while True:
    page = list_bullets.sync(limit=2, learned_only=True, **me, **({"after": after} if after else {}))
    assert isinstance(page, BulletsResponse) and len(page.bullets) <= 2, page
    pages += [one.content for one in page.bullets]
    after = page.next_
    if not after:
        break
assert pages == texts, pages

gone = delete_bullet.sync(id=made[0].id, **me)
assert isinstance(gone, DeltaApplied) and gone.archived == [made[0].id], gone
shown = get_bullet.sync(id=made[0].id, **me)
assert isinstance(shown, DetailResponse) and shown.status == "archived", shown
missing = get_bullet.sync(id="b_00000000000000000000", **me)
assert isinstance(missing, Problem) and missing.code == "no_bullet", missing

chat = [SessionMessage.from_dict({"role": "user", "content": "I eat no meat."})]
kept = create_memories.sync(body=CreateMemories(messages=chat, user_id="python-user"), client=client)
assert isinstance(kept, DeltaApplied) and len(kept.added) == 1, kept
print("added, searched, paged and deleted")
