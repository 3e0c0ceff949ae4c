// Makes an account an admin, for an operator who cannot sign in as one.
import { addAdmin } from '#server/modules/administration/roles.ts'
import type { Command } from './command.ts'
import { wrongCall } from './wrong-call.ts'

export const staffAdd: Command = {
  usage: 'staff add <メールアドレス>',
  summary: 'アカウントを管理者にします。変更は監査ログに残ります',
  async run({ deps, args, print }) {
    const [email, ...more] = args
    if (email === undefined || email.startsWith('-') || more.length > 0) return wrongCall(print, this.usage)
    const result = await addAdmin(deps, email)
    const sentences = {
      unknown: 'このメールアドレスのアカウントはありません。',
      admin: 'このアカウントは、すでに管理者です。',
      added: '管理者にしました。',
    }
    print(sentences[result])
    return result === 'unknown' ? 1 : 0
  },
}
