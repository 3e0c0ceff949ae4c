// Prints the link that completes a registration, for an operator whose relay sends nothing yet.
import { showConfirmationUrl } from '#server/modules/accounts/registration-email.ts'
import type { Command } from './command.ts'
import { wrongCall } from './wrong-call.ts'

export const staffLink: Command = {
  usage: 'staff link <メールアドレス>',
  summary:
    '登録の確認のメールが届かないときに、登録を完了するリンクを表示します。表示したことは監査ログに残ります',
  async run({ deps, args, print }) {
    const [email, ...more] = args
    if (email === undefined || email.startsWith('-') || more.length > 0) return wrongCall(print, this.usage)
    const url = await showConfirmationUrl(deps, email.trim().toLowerCase())
    print(url ?? 'このアドレスで申し込まれた、確認前の登録はありません。先に、アプリで登録してください。')
    return url === undefined ? 1 : 0
  },
}
