// Texts of the roles of staff.
import type { Role, StaffRole } from '#contract/administration/role-names.ts'

export const staffText = {
  title: '運営メンバー',
  lead: '役割のある人だけが管理画面を使えます。変更と一覧の閲覧は記録されます。',
  roles: {
    member: '役割なし',
    admin: '管理者',
    moderator: 'モデレーター',
    finance: '経理',
  } satisfies Record<Role, string>,
  about: {
    admin: 'すべての管理ができます。',
    moderator: '通報と、ユーザーについての請求を扱います。',
    finance: '支払い、返金、振込と手数料を扱います。',
  } satisfies Record<StaffRole, string>,
  you: '自分',
  inactive: '利用停止中または削除手続き中',
  add: '役割を付ける',
  change: '変更',
  changeOf: (name: string) => `${name}さんの役割を変更`,
  person: 'ユーザー',
  personHint: 'ユーザー名（@から始まる名前）、メールアドレス、またはユーザーIDを入力してください。',
  personRequired: 'ユーザーを入力してください。',
  unknown: '該当するユーザーがいないか、利用停止中または削除手続き中です。',
  role: '役割',
  save: '保存する',
  confirm: '役割の変更の前に、本人であることを確認してください。確認は10分間有効です。',
  given: (role: string) => `役割を「${role}」に変更しました。`,
  taken: '役割を外しました。',
  lastAdmin: '最後の管理者の役割は変更できません。先に、ほかの人を管理者にしてください。',
  failed: '役割を変更できませんでした。',
} as const
