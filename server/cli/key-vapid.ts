// Prints a new key pair for pushes, as lines of the environment.
import { newVapid } from '#server/adapters/push/vapid.ts'
import type { AloneCommand } from './command.ts'
import { wrongCall } from './wrong-call.ts'

export const keyVapid: AloneCommand = {
  usage: 'key vapid',
  summary: '通知のための新しい鍵の組を、環境変数の形で表示します。どこにも保存しません',
  needs: 'nothing',
  async runAlone({ args, print }) {
    if (args.length > 0) return wrongCall(print, this.usage)
    const { publicKey, privateKey } = newVapid()
    print(`VAPID_PUBLIC_KEY=${publicKey}`)
    print(`VAPID_PRIVATE_KEY=${privateKey}`)
    return 0
  },
}
