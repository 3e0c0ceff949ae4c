// Every act of the audit log: its subjects, and the schema of its detail.
import * as v from 'valibot'
import { type AuditAct, auditActs, type AuditSubject } from './audit-names.ts'
import { detailValues } from './audit-values.ts'
import { secondedDoors } from './money-doors.ts'
import { personActReasons, recoveryProofs } from './person-acts.ts'
import { settingNames } from './runtime-names.ts'
import { roleNames } from './role-names.ts'
import { checkLists } from '#contract/identity/check-lists.ts'
import { parts, rejectReasons } from '#contract/identity/identity.ts'
import { id } from '#contract/ids.ts'
import { inquiryLists, inquiryOutcomes } from '#contract/inquiries/states.ts'
import { caseStates } from '#contract/moderation/case-states.ts'
import { measureKinds } from '#contract/moderation/measures.ts'
import { noticeAudiences } from '#contract/notices/notice-states.ts'
import { issuedKinds } from '#contract/payments/issued-names.ts'
import { taskKinds } from '#contract/payments/operator-tasks.ts'
import { clearingKinds } from '#contract/payouts/balance-names.ts'
import { payoutLists } from '#contract/payouts/payout-lists.ts'
import { day } from '#contract/rules.ts'

const { number, flag, digest } = detailValues
const ids = v.array(id)
const empty = v.strictObject({})
const amounts = v.strictObject({ received: number, fee: number })
const payout = v.strictObject({ number, own: v.optional(flag) })
// `before`: the fee, in yen, that the record corrects.
const bankFee = v.strictObject({ fee: number, record: id, before: v.optional(number) })
const signInAct = v.strictObject({ reason: v.picklist(personActReasons), count: number })
const filtered = v.strictObject({
  fields: v.array(v.picklist(['actor', 'act', 'subject_kind', 'subject', 'from', 'to'])),
})
const cleared = v.strictObject({ kind: v.picklist(clearingKinds), amount: number, clearing: id })
/** Issues of receipts, or statements. */
const issued = v.strictObject({ kind: v.picklist(issuedKinds), documents: ids })
const answered = v.strictObject({ answer: v.picklist(['disclosed', 'mediated']) })
// Entries of before have no file and no amount.
const counts = { listed: number, applied: number, differences: number }
const reconciled = v.strictObject({ ...counts, amount: v.optional(number), file: v.optional(digest) })
const applied = v.strictObject({ charge: id, amount: number, file: digest })
const recoveryBegun = v.strictObject({ recovery: id, proof: v.picklist(recoveryProofs) })
const recoveryEnded = v.strictObject({ recovery: id, passkeys: number, factors: number })
const settled = v.strictObject({ day, received: number, fee: number })
const seconded = v.strictObject({ door: v.picklist(secondedDoors), amount: number })
const decided = v.strictObject({ dispute: id, amount: number })

interface Rule {
  readonly subjects: readonly AuditSubject[]
  readonly detail: v.GenericSchema<object>
}

/** A new act is a name in the contract and a row here; without the row it does not type-check. */
export const acts = {
  'adjustments.search': { subjects: ['user', 'payment'], detail: v.strictObject({ payments: ids }) },
  // The number of entries from before the chain, which are its first ones.
  'audit.begin': { subjects: ['audit_log'], detail: v.strictObject({ entries: number }) },
  // The names of the used filters.
  'audit.export': { subjects: ['audit_log'], detail: filtered },
  'audit.list': { subjects: ['audit_log'], detail: filtered },
  // When the backup was made, ms, and how many erasures were repeated.
  'backup.restore': { subjects: ['storage'], detail: v.strictObject({ at: number, count: number }) },
  'balance.clear': { subjects: ['user'], detail: cleared },
  'balance.contact': { subjects: ['user'], detail: empty },
  'balance.request': { subjects: ['user'], detail: v.strictObject({ total: number }) },
  'balances.list': { subjects: ['user'], detail: v.strictObject({ people: ids }) },
  'case.answer': {
    subjects: ['case'],
    detail: v.strictObject({ decision: id, granted: flag, own: flag }),
  },
  // `until`: when a measure of the person ends, ms; 0 without an end.
  'case.decide': {
    subjects: ['case'],
    detail: v.strictObject({ decision: id, measures: v.array(v.picklist(measureKinds)), until: number }),
  },
  'case.leave': { subjects: ['case'], detail: empty },
  'case.open': { subjects: ['case'], detail: empty },
  // A number of the text that was shown.
  'case.read': { subjects: ['case'], detail: v.strictObject({ text: v.optional(number) }) },
  'case.take': { subjects: ['case'], detail: empty },
  'case.undo': { subjects: ['case'], detail: v.strictObject({ decision: id }) },
  'cases.list': {
    subjects: ['user'],
    detail: v.strictObject({ state: v.picklist(caseStates), cases: ids }),
  },
  'authority_export.download': { subjects: ['user'], detail: v.strictObject({ export: id }) },
  'authority_export.list': { subjects: ['user'], detail: v.strictObject({ exports: ids }) },
  // The first and the last day; the case number is with the export.
  'authority_export.request': {
    subjects: ['user'],
    detail: v.strictObject({ export: id, from: day, to: day }),
  },
  'complimentary.end': { subjects: ['complimentary'], detail: v.strictObject({ member: id }) },
  'complimentary.give': {
    subjects: ['complimentary'],
    detail: v.strictObject({ plan: id, member: id, ends_on: day, paid: number }),
  },
  'dispute.covered': { subjects: ['payment'], detail: decided },
  'dispute.lost': { subjects: ['payment'], detail: decided },
  'dispute.open': {
    subjects: ['payment'],
    detail: v.strictObject({ dispute: id, amount: number, fee: number }),
  },
  'dispute.won': { subjects: ['payment'], detail: decided },
  // What erasure leaves, as a number, and how many deleted accounts were erased again by it.
  'erasure.sweep': { subjects: ['storage'], detail: v.strictObject({ version: number, count: number }) },
  fee_rate: {
    subjects: ['user'],
    detail: v.strictObject({ first_day: day, rate: number, before: number }),
  },
  'issued_documents.list': { subjects: ['user'], detail: issued },
  'identity.approve': { subjects: ['identity_check'], detail: empty },
  'identity.list': {
    subjects: ['identity_list'],
    detail: v.strictObject({ list: v.picklist(checkLists), checks: ids }),
  },
  'identity.read': { subjects: ['identity_check'], detail: empty },
  'identity.reject': {
    subjects: ['identity_check'],
    detail: v.strictObject({ reason: v.picklist(rejectReasons) }),
  },
  'identity.return': { subjects: ['identity_check'], detail: empty },
  // Its last byte was sent.
  'identity.shown': {
    subjects: ['identity_file'],
    detail: v.strictObject({ check: id, part: v.picklist(parts) }),
  },
  'identity.take': { subjects: ['identity_check'], detail: v.strictObject({ from: v.nullable(id) }) },
  'identity.view': {
    subjects: ['identity_file'],
    detail: v.strictObject({ check: id, part: v.picklist(parts) }),
  },
  'inquiries.list': {
    subjects: ['user'],
    detail: v.strictObject({ list: v.picklist(inquiryLists), inquiries: ids }),
  },
  'inquiry.ask_author': { subjects: ['inquiry'], detail: empty },
  'inquiry.ask_sender': { subjects: ['inquiry'], detail: empty },
  // `decision`: of the case, by a measure for the inquiry.
  'inquiry.decide': {
    subjects: ['inquiry'],
    detail: v.strictObject({ outcome: v.picklist(inquiryOutcomes), decision: v.nullable(id) }),
  },
  'inquiry.leave': { subjects: ['inquiry'], detail: empty },
  'inquiry.read': { subjects: ['inquiry'], detail: empty },
  'inquiry.take': { subjects: ['inquiry'], detail: empty },
  // Ends in ms since 1970; of each of `count` invitations.
  'invitation.add': {
    subjects: ['invitation'],
    detail: v.strictObject({ count: number, uses: number, until: number }),
  },
  'invitation.revoke': { subjects: ['invitation'], detail: v.strictObject({ used: number }) },
  // Of one job, or of all failed ones of a kind.
  'jobs.drop': { subjects: ['job'], detail: v.strictObject({ count: number }) },
  'jobs.retry': { subjects: ['job'], detail: v.strictObject({ count: number }) },
  // The number of master keys afterwards.
  'key.drop': { subjects: ['master_key'], detail: v.strictObject({ keys: number }) },
  'key.reseal': { subjects: ['master_key'], detail: v.strictObject({ count: number }) },
  'key.rotate': { subjects: ['master_key'], detail: v.strictObject({ keys: number }) },
  'media.list_failed': { subjects: ['user'], detail: v.strictObject({ media: ids }) },
  'media.retry': { subjects: ['media'], detail: v.strictObject({ owner: id }) },
  'notice.add': { subjects: ['notice'], detail: empty },
  'notice.change': {
    subjects: ['notice'],
    detail: v.strictObject({
      fields: v.array(v.picklist(['audience', 'bar', 'body', 'channels', 'title'])),
    }),
  },
  'notice.picture': { subjects: ['notice'], detail: v.strictObject({ set: flag }) },
  // By NO_ID when a scheduled notice was due.
  'notice.publish': {
    subjects: ['notice'],
    detail: v.strictObject({
      audience: v.picklist(noticeAudiences),
      people: number,
      push: flag,
      mail: flag,
      advertising: flag,
    }),
  },
  'notice.remove': { subjects: ['notice'], detail: empty },
  'notice.resume': { subjects: ['notice'], detail: v.strictObject({ reached: number }) },
  // Ms since 1970.
  'notice.schedule': { subjects: ['notice'], detail: v.strictObject({ at: number }) },
  'notice.stop': { subjects: ['notice'], detail: v.strictObject({ reached: number }) },
  'notice.unschedule': { subjects: ['notice'], detail: empty },
  'notice.withdraw': { subjects: ['notice'], detail: v.strictObject({ delivered: number }) },
  payment_limit_begun: { subjects: ['user'], detail: empty },
  payment_limit_new_account: { subjects: ['user'], detail: empty },
  payment_limit_refused_network: { subjects: ['user'], detail: empty },
  payment_limit_refused_person: { subjects: ['user'], detail: empty },
  'payout.approve': { subjects: ['payout'], detail: payout },
  'payout.cancel': { subjects: ['payout'], detail: payout },
  'payout.export': { subjects: ['payout'], detail: payout },
  'payout.file': { subjects: ['payout_export'], detail: empty },
  'payout.file.fee': { subjects: ['payout_export'], detail: bankFee },
  'payout.file.void': { subjects: ['payout_export'], detail: v.strictObject({ payouts: v.array(number) }) },
  'payout.hold': { subjects: ['payout'], detail: payout },
  'payout.pay': { subjects: ['payout'], detail: payout },
  'payout.release': { subjects: ['payout'], detail: payout },
  'payout.return': { subjects: ['payout'], detail: payout },
  'payout.tax': { subjects: ['payout'], detail: v.strictObject({ ...payout.entries, withheld: number }) },
  'payout.void': { subjects: ['payout'], detail: payout },
  'payouts.list': {
    subjects: ['user'],
    detail: v.strictObject({ list: v.picklist(payoutLists), payouts: v.array(number) }),
  },
  'people.search': { subjects: ['user'], detail: v.strictObject({ people: ids }) },
  'person.cases': { subjects: ['user'], detail: empty },
  'person.content': { subjects: ['user'], detail: v.strictObject({ things: ids }) },
  'person.end_sessions': { subjects: ['user'], detail: signInAct },
  'person.read': { subjects: ['user'], detail: empty },
  'person.read_email': { subjects: ['user'], detail: empty },
  'person.remove_passkeys': { subjects: ['user'], detail: signInAct },
  'person.remove_totp': { subjects: ['user'], detail: signInAct },
  reconcile: { subjects: ['user'], detail: reconciled },
  'reconcile.apply': { subjects: ['payment'], detail: applied },
  'recovery.begin': { subjects: ['user'], detail: recoveryBegun },
  'recovery.confirm': { subjects: ['user'], detail: v.strictObject({ recovery: id }) },
  'recovery.finish': { subjects: ['user'], detail: recoveryEnded },
  'recovery.stop': { subjects: ['user'], detail: v.strictObject({ recovery: id }) },
  refund: { subjects: ['payment'], detail: v.strictObject({ refund: v.optional(id), amount: number }) },
  'report.read_messages': { subjects: ['report'], detail: empty },
  'reserved_names.read': { subjects: ['user'], detail: v.strictObject({ people: ids }) },
  'registration.link': { subjects: ['registration'], detail: empty },
  'role.set': {
    subjects: ['user'],
    detail: v.strictObject({
      role: v.picklist(roleNames),
      from: v.optional(v.picklist(roleNames)),
      by: v.optional(v.picklist(['ADMIN_EMAILS', 'command_line'])),
    }),
  },
  'second.ask': { subjects: ['operator_task'], detail: seconded },
  'second.confirm': { subjects: ['operator_task'], detail: seconded },
  'seller_request.answer': { subjects: ['seller_request'], detail: answered },
  'seller_requests.list': { subjects: ['user'], detail: v.strictObject({ requests: ids }) },
  'settings.change': {
    subjects: ['setting'],
    detail: v.strictObject({ fields: v.array(v.picklist(settingNames)) }),
  },
  'settlement.record': { subjects: ['settlement'], detail: settled },
  'settlement.reverse': { subjects: ['settlement'], detail: amounts },
  'staff.list': { subjects: ['user'], detail: v.strictObject({ people: ids }) },
  'storage.mend': { subjects: ['storage'], detail: v.strictObject({ count: number }) },
  'storage.move': { subjects: ['storage'], detail: v.strictObject({ count: number }) },
  'task.close': { subjects: ['operator_task'], detail: v.strictObject({ kind: v.picklist(taskKinds) }) },
  'tasks.list': { subjects: ['user'], detail: v.strictObject({ tasks: ids }) },
  'template.remove': { subjects: ['template'], detail: empty },
  'template.save': { subjects: ['template'], detail: empty },
  'word.add': { subjects: ['word'], detail: empty },
  'word.remove': { subjects: ['word'], detail: empty },
} as const satisfies Record<AuditAct, Rule>

type DetailOf<Act extends AuditAct> = v.InferInput<(typeof acts)[Act]['detail']>

/** What one act writes to the log; number, time and hash are added when it is written. */
export type AuditEntry<Act extends AuditAct = AuditAct> = Act extends AuditAct
  ? {
      /** Who acted. */
      readonly actorId: string
      readonly act: Act
      readonly subjectKind: (typeof acts)[Act]['subjects'][number]
      readonly subjectId: string
      /** Address of the request; '' for an act without one. */
      readonly ip: string
    } & (object extends DetailOf<Act>
      ? { readonly detail?: DetailOf<Act> }
      : { readonly detail: DetailOf<Act> })
  : never

/**
 * The detail as it is stored.
 * @throws ValiError for a value or a field that the act does not have
 */
export const detailOf = ({ act, detail }: AuditEntry): object =>
  v.parse<v.GenericSchema<object>>(acts[act].detail, detail ?? {})

/** The acts about a kind of subject. */
export const actsAbout = (kind: AuditSubject): AuditAct[] =>
  auditActs.filter((it) => (acts[it].subjects as readonly AuditSubject[]).includes(kind))
