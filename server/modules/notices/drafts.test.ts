// Drafts, the list and the pictures of notices.
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { newId } from '#contract/ids.ts'
import type { NoticeDetail } from '#contract/notices/admin-notices.ts'
import { defined } from '#contract/testing/defined.ts'
import { noticeDesk, signUpStaff, usualNotice } from '#server/testing/notices/notices.ts'
import { audited } from '#server/testing/people/identity.ts'
import { call, errorOf, type Member, type Reply, signUp } from '#server/testing/people/members.ts'
import { jpeg } from '#server/testing/pictures.ts'
import { databases, openWorld, type World } from '#server/testing/world.ts'

async function putPicture(world: World, by: Member, noticeId: string, bytes: Buffer): Promise<Reply> {
  const form = new FormData()
  form.append('picture', new Blob([new Uint8Array(bytes)]), 'a.jpg')
  const encoded = new Response(form)
  const body = Buffer.from(await encoded.arrayBuffer())
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '' }
  return call(world, by, 'POST', `/admin/notices/${noticeId}/picture`, body, headers)
}

describe.each(databases)('on $kind', ({ kind, available }) => {
  describe.skipIf(!available)('notices of staff', () => {
    let world: World
    let staff: Member
    let desk: ReturnType<typeof noticeDesk>
    beforeAll(async () => {
      world = await openWorld({ database: kind, worker: true })
      staff = await signUpStaff(world)
      desk = noticeDesk(world, staff)
      return () => world.close()
    })
    const list = async (query = '') => (await call(world, staff, 'GET', `/admin/notices${query}`)).json()
    const getFile = (who: Member | null, url: string) => call(world, who, 'GET', url.replace('/api', ''))

    /** Waits for the conversion of a picture. */
    const converted = (id: string): Promise<NoticeDetail> =>
      vi.waitUntil(
        async () => {
          const it = await desk.read(id)
          return it.picture_state === 'processing' ? undefined : it
        },
        { timeout: 60_000, interval: 50 },
      )

    test('a draft is stored once, changed, and changes are audited without its words', async () => {
      const id = newId()
      const body = { ...usualNotice, id, body: '## 期間\r\n8月' }
      const first = (await call(world, staff, 'POST', '/admin/notices', body)).json()
      expect(first).toMatchObject({
        state: 'draft',
        body: '## 期間\n8月',
        content: [{ is: 'heading' }, { is: 'paragraph' }],
        total: null,
        picture_state: 'none',
        revision: 0,
      })
      // Sent again, as after a lost reply:
      await call(world, staff, 'POST', '/admin/notices', { ...body, title: '別の題' })
      expect((await desk.read(id)).title).toBe(usualNotice.title)
      const audience = { is: 'build', build: '202601010000', which: 'older' } as const
      const changed = await desk.change(id, { title: '夏の予定', audience, is_urgent: true })
      expect([changed.title, changed.audience, changed.revision]).toEqual(['夏の予定', audience, 1])
      await desk.change(id, {})
      const { rows } = await world.database.executeSql(
        'select act, detail from audit_log where subject_id = $1 order by seq',
        [id],
      )
      expect(rows).toEqual([
        { act: 'notice.add', detail: {} },
        { act: 'notice.change', detail: { fields: ['audience', 'bar', 'title'] } },
      ])
    })

    test('of two people who change one notice, the second is informed', async () => {
      const { id } = await desk.add()
      const change = (as: Member, title: string) =>
        call(world, as, 'PUT', `/admin/notices/${id}`, { ...usualNotice, revision: 0, title })
      const other = await signUpStaff(world, 'admin')
      const both = await Promise.all([change(staff, '一つ目'), change(other, '二つ目')])
      expect(both.map((it) => it.statusCode).toSorted()).toEqual([200, 409])
    })

    test.each([
      [{ title: ' ' }, { title: 'required' }],
      [{ title: 'あ'.repeat(81) }, { title: 'too_long' }],
      [{ title: 'a\u202Eb' }, { title: 'control_characters' }],
      [{ body: 'あ'.repeat(10_001) }, { body: 'too_long' }],
    ])('%j is refused', async (fields, problems) => {
      const reply = await call(world, staff, 'POST', '/admin/notices', {
        ...usualNotice,
        id: newId(),
        ...fields,
      })
      expect(errorOf(reply)).toEqual({ code: 'invalid', fields: problems })
    })

    test('a draft is deleted, and no other notice', async () => {
      const { id } = await desk.add()
      const published = await desk.add()
      await desk.act(published.id, 'publish')
      const remove = (it: string) => call(world, staff, 'DELETE', `/admin/notices/${it}`)
      expect([(await remove(id)).statusCode, errorOf(await remove(published.id)).code]).toEqual([
        200,
        'conflict',
      ])
      expect(errorOf(await remove(id)).code).toBe('not_found')
      expect((await audited(world)).filter((it) => it.subject === id).map((it) => it.act)).toEqual([
        'notice.add',
        'notice.remove',
      ])
    })

    test('the list has each notice once, the newest first, by state', async () => {
      await world.database.executeSql('delete from notices')
      const ids: string[] = []
      for (let n = 0; n < 35; n++) {
        // Several of one moment, which their ids order.
        if (n % 3 === 0) world.clock.now += 1000
        ids.push((await desk.add()).id)
      }
      await desk.act(defined(ids[0]), 'schedule', world.clock.now + 3600_000)
      const first = await list()
      const second = await list(`?cursor=${first.next}`)
      const read = [...first.notices, ...second.notices].map((it: { id: string }) => it.id)
      expect([first.notices.length, second.next, read.toSorted()]).toEqual([30, null, ids.toSorted()])
      const { rows } = await world.database.executeSql(
        'select id from notices order by created_at desc, id desc',
      )
      expect(read).toEqual((rows as { id: string }[]).map((it) => it.id))
      expect((await list('?list=scheduled')).notices.map((it: { id: string }) => it.id)).toEqual([ids[0]])
      expect((await list('?list=withdrawn')).notices).toEqual([])
    })

    test('the preview is the tree that would be stored, and stores nothing', async () => {
      const reply = await call(world, staff, 'POST', '/admin/notices/preview', { body: '**8月**' })
      expect(reply.json()).toEqual({
        content: [{ is: 'paragraph', pieces: [{ text: '8月', bold: true }] }],
        body: '8月',
      })
    })

    test('the picture of a draft is for staff alone; that of a published notice for everyone, until it is withdrawn', async () => {
      const { id } = await desk.add()
      expect((await putPicture(world, staff, id, await jpeg(1200, 800))).json().picture_state).toBe(
        'processing',
      )
      const { picture } = await converted(id)
      expect(picture).toMatchObject({ width: 1200, height: 800 })
      const url = defined(picture?.url)
      const open = defined(url.split('?')[0])
      const member = await signUp(world)
      const codes = async () => {
        const replies = [await getFile(staff, url), await getFile(member, url), await getFile(null, open)]
        return replies.map((it) => it.statusCode)
      }
      expect(await codes()).toEqual([200, 404, 404])
      await desk.act(id, 'publish')
      expect(await codes()).toEqual([200, 200, 200])
      expect((await call(world, member, 'GET', `/notices/${id}`)).json().picture.url).toBe(open)
      expect((await getFile(null, `${open.slice(0, open.lastIndexOf('/'))}/original`)).statusCode).toBe(403)
      await desk.act(id, 'withdraw')
      expect(await codes()).toEqual([200, 404, 404])
      expect(errorOf(await putPicture(world, staff, id, await jpeg())).code).toBe('conflict')
    })

    test('a picture that is replaced or removed is deleted, and a text is refused as a picture', async () => {
      const { id } = await desk.add()
      const refused = await putPicture(world, staff, id, Buffer.from('text'))
      expect(errorOf(refused).code).toBe('unsupported_media')
      const pictures = async () => {
        const { rows } = await world.database.executeSql('select picture_id from notices where id = $1', [id])
        return (rows[0] as { picture_id: string | null }).picture_id
      }
      await putPicture(world, staff, id, await jpeg())
      await converted(id)
      const before = await pictures()
      await putPicture(world, staff, id, await jpeg(500, 500))
      await converted(id)
      const after = await pictures()
      await call(world, staff, 'DELETE', `/admin/notices/${id}/picture`)
      expect([before === after, await pictures()]).toEqual([false, null])
      const acts = (await audited(world)).filter((it) => it.subject === id && it.act === 'notice.picture')
      expect(acts).toHaveLength(3)
      const rows = async () =>
        (await world.database.executeSql('select 1 from media where id = any($1::uuid[])', [[before, after]]))
          .rows
      await expect.poll(rows).toEqual([])
    })
  })
})
