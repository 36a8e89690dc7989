"""What the device keeps: bounded, on a full disk, without one, and after a lost connection."""

from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import BrowserContext, Page

Opened = Callable[[str], Page]
_WITH: Final = """
  const {open, trim, LARGEST, LIMITS} =
    await import(new URL("./app/store.js", document.baseURI).href);
"""
_FULL: Final = """
  const put = IDBObjectStore.prototype.put;
  globalThis.full = true;
  IDBObjectStore.prototype.put = function(...of) {
    if (globalThis.full) throw new DOMException("full", "QuotaExceededError");
    return put.apply(this, of);
  };
"""


@pytest.fixture
def run(opened: Opened) -> Callable[[str], Any]:
    """Run the body of an asynchronous function beside the store's module."""
    page = opened("#/")
    return lambda body: page.evaluate(f"async () => {{ {_WITH} {body} }}")


def test_what_is_put_is_there_after_another_open(run: Callable[[str], Any]) -> None:
    """And gone once it is removed; any JSON value is kept as it is."""
    run("const store = await open(); await store.put('kept', '__proto__', {a: [1, null, '가']});")
    assert run("return (await open()).get('kept', '__proto__');") == {"a": [1, None, "가"]}
    assert run("return [...await (await open()).entries('kept')];") == [
        ["__proto__", {"a": [1, None, "가"]}]
    ]
    run("await (await open()).remove('kept', '__proto__');")
    assert run("return (await open()).get('kept', '__proto__');") is None


def test_the_oldest_leave_a_store_that_is_over_its_limit(run: Callable[[str], Any]) -> None:
    """A tenth more than needed, so that not every write sorts; the newest stay."""
    kept = run(
        """const store = await open();
        for (let at = 1; at <= LIMITS.log + 1; at += 1) await store.put("log", `${at}`, {at});
        await trim(store, "log", (entry) => entry.at);
        return [...(await store.entries("log")).values()].map(({at}) => at);"""
    )
    assert sorted(kept) == list(range(7, 52))


def test_the_oldest_texts_leave_a_store_whose_texts_are_too_long(run: Callable[[str], Any]) -> None:
    """Three hundred objects may each be small, or fill a phone: their sum has a limit too."""
    kept = run(
        """const store = await open();
        const text = "x".repeat(LARGEST.objects / 10);
        for (let savedAt = 1; savedAt <= 11; savedAt += 1) {
          await store.put("objects", `${savedAt}`, {text, savedAt});
          await trim(store, "objects");
        }
        return [...(await store.entries("objects")).values()].map(({savedAt}) => savedAt);"""
    )
    assert sorted(kept) == list(range(3, 12))


def test_entries_are_of_one_instant(run: Callable[[str], Any]) -> None:
    """Keys and values of two transactions would not belong to one another."""
    assert (
        run(
            """const store = await open();
            await store.put("kept", "a", 1);
            let count = 0;
            const transaction = IDBDatabase.prototype.transaction;
            IDBDatabase.prototype.transaction = function(...of) {
              count += 1; return transaction.apply(this, of); };
            await store.entries("kept");
            return count;"""
        )
        == 1
    )


def test_an_update_is_made_to_what_the_device_has(run: Callable[[str], Any]) -> None:
    """No other connection writes between its reading and its writing; nor on a full disk."""
    assert run(
        f"""const [one, other] = [await open(), await open()];
        const more = (former) => (former ?? 0) + 1;
        const both = () => [one, other].map((store) => store.update("kept", "a", more));
        const told = await Promise.all([...both(), ...both()]);
        {_FULL}
        const refused = [];
        const third = await open(() => refused.push(1));
        await Promise.all([more, more].map((change) => third.update("kept", "a", change)));
        return [told.sort(), await third.get("kept", "a"), refused.length];"""
    ) == [[1, 2, 3, 4], 6, 2]


def test_an_update_to_nothing_brings_nothing_back(run: Callable[[str], Any]) -> None:
    """What was removed meanwhile stays away, on the disk and in memory."""
    assert run(
        f"""const store = await open();
        const renew = (former) => former && {{...former, renewed: true}};
        const renewed = async (of) => [
          (await of.update("kept", "gone", renew)) === undefined,
          [...(await of.entries("kept")).keys()],
        ];
        await store.put("kept", "there", {{}});
        await store.update("kept", "there", renew);
        const told = [await renewed(store), (await store.get("kept", "there")).renewed];
        {_FULL}
        return [...told, await renewed(await open())];"""
    ) == [[True, ["there"]], True, [True, ["there"]]]


def test_a_store_within_its_limit_keeps_everything(run: Callable[[str], Any]) -> None:
    """Trimming is no loss where there is room."""
    assert (
        run(
            """const store = await open();
            for (let at = 1; at <= LIMITS.log; at += 1) await store.put("log", `${at}`, {at});
            await trim(store, "log", (entry) => entry.at);
            return (await store.entries("log")).size - LIMITS.log;"""
        )
        == 0
    )


def test_a_full_disk_costs_what_outlives_the_page_and_says_so(
    context: BrowserContext, run: Callable[[str], Any]
) -> None:
    """The value is there until the page is closed; once there is room it is on the disk."""
    assert context.pages
    assert run(
        f"""{_FULL}
        const store = await open();
        await store.put("kept", "a", 1);
        const inMemory = await store.get("kept", "a");
        const all = [...await store.entries("kept")];
        const refused = store.refused;
        globalThis.full = false;
        await store.put("kept", "a", 2);
        return [inMemory, all, refused, await store.get("kept", "a")];"""
    ) == [1, [["a", 1]], True, 2]
    assert run("return (await open()).get('kept', 'a');") == 2


def test_refused_storage_is_memory(run: Callable[[str], Any]) -> None:
    """The same functions, for as long as the page is open."""
    assert run(
        """const real = indexedDB.open;
        indexedDB.open = () => { throw new DOMException("no", "SecurityError"); };
        const store = await open();
        await store.put("kept", "a", 1);
        const {size} = await store.entries("kept");
        const found = [store.refused, await store.get("kept", "a"), size];
        await store.remove("kept", "a");
        return [...found, (await store.get("kept", "a")) ?? null];"""
    ) == [True, 1, 1, None]


def test_a_connection_that_was_lost_is_opened_again(run: Callable[[str], Any]) -> None:
    """Browsers close it when a device sleeps, and when another window upgrades."""
    assert run(
        """const connections = [];
            const transaction = IDBDatabase.prototype.transaction;
            IDBDatabase.prototype.transaction = function(...of) {
              connections.push(this); return transaction.apply(this, of); };
            const store = await open();
            await store.put("kept", "a", 1);
            connections.at(-1).close();
            const read = await store.get("kept", "a");
            connections.at(-1).close();
            await store.put("kept", "a", 2);
            return [read, await (await open()).get("kept", "a"), store.refused];"""
    ) == [1, 2, False]


def test_an_index_and_its_shards_leave_after_what_was_kept_with_them(
    run: Callable[[str], Any],
) -> None:
    """A visit reads them first: what it reads later must not cost the names; a day later it may."""
    kept = run(
        """const store = await open();
        const text = "x".repeat(LARGEST.objects / 10);
        const put = (key, savedAt) => store.put("objects", key, {text, savedAt});
        const day = 86_400_000;
        await put("index.old.json", 0);
        await put("index.json", day);
        await put("index.g.json", day + 1);
        for (let at = 2; at <= 9; at += 1) await put(`${at}/latest.json`, day + at);
        await trim(store, "objects");
        return [...(await store.entries("objects")).keys()];"""
    )
    assert sorted(kept) == [
        *(f"{at}/latest.json" for at in range(3, 10)),
        "index.g.json",
        "index.json",
    ]
