// Senders, authors and staff of inquiries on a test server, by the API.
import type { InquiryView } from '#contract/inquiries/admin-inquiries.ts'
import { newId } from '#contract/ids.ts'
import { call, type Member, type Reply } from '#server/testing/people/members.ts'
import type { World } from '#server/testing/world.ts'

/** Fields of a claim without its kind, id and address of content. */
export const claim = {
  name: '株式会社 原作',
  email: 'rights@example.com',
  right: '複製権',
  text: '表紙をそのまま複製しています。',
  reason: '許諾していません。',
  declared: true,
  may_tell_name: true,
}

/** Fields of a request of a person who is shown, without its kind, id and address. */
export const shownPerson = {
  name: '写 真子',
  email: 'shown@example.com',
  ground: 'withdrawal',
  text: '二枚目の右側に写っています。',
  declared: true,
}

/** Requests about inquiries of one test server. */
export function inquiriesIn(world: () => World) {
  const open = (path: string, body: object, as: Member | null = null) =>
    call(world(), as, 'POST', `/inquiries${path}`, body)
  const staff = (as: Member | null, path: string, body?: object) =>
    call(world(), as, body === undefined ? 'GET' : 'POST', `/admin/inquiries${path}`, body)
  const link = (id: string) => ({ inquiry_id: id, token: world().deps.secrets.mac('inquiry-sender', id) })
  const send = (fields: object, as: Member | null = null) =>
    open('', { id: newId(), ...claim, ...fields }, as)
  return {
    open,
    staff,
    link,
    send,
    authorLink: (id: string) => ({
      inquiry_id: id,
      token: world().deps.secrets.mac('inquiry-author', id),
    }),
    /** The address of a post on this server. */
    urlOf: (postId: string) => `${world().deps.settings.publicUrl}/post/${postId}`,
    /** Sends and confirms an inquiry. @returns its id */
    async file(fields: object, as: Member | null = null): Promise<string> {
      const sent = await send(fields, as)
      const id: string = sent.json().data?.id
      const confirmed = await open('/confirm', link(id))
      if (confirmed.statusCode !== 200) throw new Error(`refused: ${sent.body} ${confirmed.body}`)
      return id
    },
    /** Takes an inquiry, and does one thing with it. */
    async act(as: Member, id: string, what: string, body: object): Promise<Reply> {
      await staff(as, `/${id}/take`, {})
      return staff(as, `/${id}/${what}`, body)
    },
    read: async (as: Member, id: string): Promise<InquiryView> => (await staff(as, `/${id}`)).json().inquiry,
    ids: async (as: Member, query = ''): Promise<string[]> =>
      (await staff(as, query)).json().inquiries.map((it: { id: string }) => it.id),
  }
}

/** A measure that removes the content. */
export const removal = {
  content: 'remove',
  person: null,
  days: null,
  text_to_person: '写っている人の申出を受けて削除しました。',
  text_to_reporters: '対応しました。',
  seen: 1,
}

/** A measure that hides the content. */
export const hiding = {
  content: 'hide',
  person: null,
  days: null,
  text_to_person: '著作権の申告を受けて非公開にしました。',
  text_to_reporters: '対応しました。',
  seen: 1,
}
