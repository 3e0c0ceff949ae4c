// Help about being a member: what others see, age limits, blocking.
import { MIN_AGE } from '#contract/limits.ts'
import type { HelpText } from './topics.ts'

export const memberHelp: HelpText = {
  lead: 'ほかのユーザーからの見え方と、自分を守るための設定についてのよくある質問です。',
  questions: [
    {
      id: 'creator',
      title: '投稿するのに特別な申し込みは必要ですか',
      blocks: [
        'いいえ。どなたでも投稿できます。投稿する人をクリエイター、読む人をファンと呼びますが、アカウントの種類は同じです。',
      ],
    },
    {
      id: 'visible',
      title: 'ほかの人には何が見えますか',
      blocks: [
        {
          is: 'rows',
          rows: [
            ['見えるもの', '名前、アイコン、カバー画像、自己紹介、公開した投稿'],
            [
              '見えないもの',
              'メールアドレス、生年月日、氏名とフリガナ、公開していない投稿、下書き、ログインしている端末',
            ],
          ],
        },
      ],
    },
    {
      id: 'age',
      title: '年齢制限のある投稿とは何ですか',
      blocks: [
        `投稿した人が、${MIN_AGE}歳以上の人に向けたものとして印を付けた投稿です。ログインしていない人と、表示しない設定にしている人には、内容の代わりにぼかした画像を表示します。`,
        '表示するかどうかは[プライバシーと安全](/settings/privacy-and-security)で選べます。新しく登録した方は、最初は「表示しない」になっています。自分の投稿は、設定にかかわらず見られます。',
      ],
    },
    {
      id: 'block',
      title: 'ブロックやミュートを確認したい、解除したい',
      blocks: [
        '[ブロックとミュート](/settings/blocklist_bk)に一覧があります。名前の横の「解除」を押すと、すぐに解除されます。ブロックもミュートも、したことと解除したことは相手に知らされません。',
      ],
    },
    {
      id: 'message',
      title: 'メッセージを受け取る相手を選べますか',
      blocks: [
        '[プライバシーと安全](/settings/privacy-and-security)で、「すべての人」「フォローしている人」「だれからも受け取らない」から選べます。メッセージの機能は準備中です。',
      ],
    },
    {
      id: 'identity',
      title: '氏名とフリガナは何に使いますか',
      blocks: [
        '本人確認や、お金の受け取りなど、本名が必要な手続きのために登録していただくものです。ほかのユーザーには表示されません。使いみちは[プライバシーポリシー](/settings/privacy-policy)をご覧ください。',
      ],
    },
    {
      id: 'rules',
      title: '投稿してはいけないものはありますか',
      blocks: [
        '法令に反するもの、ほかの人の権利を侵すもの、18歳未満の人を性的に扱うもの、本人の同意のない撮影や公開などは禁じられています。詳しくは[利用規約](/settings/terms-of-service#prohibited)をご覧ください。',
      ],
    },
  ],
}
