import { describe, expect, it } from 'vitest';
import { startEmulator } from '../../src/emulator/index.ts';
import { seed } from './conformance-seed.ts';
import { errorBody, startServer } from './http.ts';

const { request, ids, list, readItem, status } = startServer();

describe('the key', () => {
  it('§5 the header X-SERVICE-API-KEY carries the key, case-insensitively', async () => {
    expect(await status('/contents', 'pub')).toBe(200);
    expect((await request('/contents', { key: null, headers: { 'x-service-api-key': 'pub' } })).status).toBe(
      200,
    );
  });

  it('§5 a missing key is 401', async () => {
    expect(await request('/contents', { key: null })).toMatchObject({ status: 401, body: errorBody(401) });
    expect(await request('/contents/101', { key: null })).toMatchObject({
      status: 401,
      body: errorBody(401),
    });
  });

  it('§5 an invalid key is 401', async () => {
    for (const key of ['nope', 'PUB', 'pub,pub', '__proto__', 'constructor', '']) {
      expect(await request('/contents', { key }), key).toMatchObject({ status: 401, body: errorBody(401) });
    }
  });

  it('§5 without a key no other error is reported', async () => {
    expect((await request('/contents/999999', { key: null })).status).toBe(401);
    expect((await request('/contents?limit=x', { key: null })).status).toBe(401);
    expect((await request('/nope', { key: null })).status).toBe(401);
  });

  it('§5 the key is not read from the query', async () => {
    expect((await request('/contents?X-SERVICE-API-KEY=pub', { key: null })).status).toBe(401);
  });

  it('§5 the name of the header can be configured', async () => {
    const other = await startEmulator(seed, { header: 'X-OTHER-KEY' });
    try {
      const asked = (header: string) =>
        fetch(`${other.baseUrl}/contents?limit=1`, { headers: { [header]: 'pub' } });
      expect((await asked('x-other-key')).status).toBe(200);
      expect((await asked('X-SERVICE-API-KEY')).status).toBe(401);
    } finally {
      await other.close();
    }
  });
});

describe('the content that a key reads', () => {
  it('§5 a published key returns published content only', async () => {
    expect(await ids('model=article&order=_id', 'pub')).toEqual([
      101, 102, 103, 105, 107, 108, 111, 112, 113,
    ]);
    expect(await status('/contents/104', 'pub')).toBe(404);
  });

  it('§5 a drafts key returns drafts too', async () => {
    expect(await ids('model=article&order=_id', 'all')).toEqual([
      101, 102, 103, 104, 105, 107, 108, 109, 111, 112, 113,
    ]);
    expect((await readItem(104, '', 'all')).title).toBe('下書き');
  });

  it('§5 a reference to content that the key cannot read is empty', async () => {
    expect((await readItem(107, '', 'pub')).author).toBeNull();
    expect((await readItem(107, 'depth=0', 'pub')).author).toBeNull();
    expect((await readItem(107, '', 'all')).author).toMatchObject({ name: '下書き' });
  });

  it('§5 a filter by content that the key cannot read matches nothing', async () => {
    expect(await ids('author[eq]=204', 'pub')).toEqual([]);
    expect(await ids('author[eq]=204&order=_id', 'all')).toEqual([104, 107]);
  });
});

describe('keys restricted to spaces', () => {
  it('§5 a restricted key reads its spaces only', async () => {
    expect(await ids('order=_id', 'shop-pub')).toEqual([108, 205]);
    expect((await list('', 'shop-pub')).total).toBe(2);
    expect(await ids('order=_id', 'lab-all')).toEqual([108, 109, 205]);
  });

  it('§5 content of other spaces is not found', async () => {
    expect(await status('/contents/101', 'shop-pub')).toBe(404);
    expect(await status('/contents/108', 'shop-pub')).toBe(200);
  });

  it('§5 a space that the key may not read is a 403', async () => {
    expect(await request('/contents?space=_parent', { key: 'shop-pub' })).toMatchObject({
      status: 403,
      body: errorBody(403),
    });
    expect(await status('/contents?space=shop', 'shop-pub')).toBe(200);
  });

  it('§5 a restricted drafts key reads drafts of its spaces', async () => {
    expect(await ids('space=lab', 'lab-all')).toEqual([109]);
    expect(await ids('space=lab', 'shop-pub').catch(() => 'refused')).toBe('refused');
  });

  it('§5 neighbours in other spaces do not exist for the key', async () => {
    expect(await readItem(108, 'include=_prev,_next&order=_id&select=_prev,_next._id', 'shop-pub')).toEqual({
      _prev: null,
      _next: { _id: 205 },
    });
  });
});
