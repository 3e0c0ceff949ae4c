// Emails about a seller's data by law: requested, given, missing, stored.
import type { SellerEmail } from '#server/rules/email.ts'
import { type EmailText, japaneseTime, line, oneLine, type Part } from './frame.ts'

const buyerFoot = ['販売者の情報の開示を請求されたため、お送りしています。']
const creatorFoot = [
  'とどけで販売しているため、お送りしています。特定商取引法に基づくお知らせのため、停止できません。',
]

type Of<Is extends SellerEmail['is']> = Extract<SellerEmail, { is: Is }>

function disclosed({
  creator,
  seller,
  address,
  phone,
  contact,
  hours,
  url,
}: Of<'seller_disclosed'>): EmailText {
  return {
    subject: '販売者の情報をお知らせします',
    parts: [
      line(`ご請求いただいた、${oneLine(creator)}さんの販売者としての情報をお知らせします。`),
      {
        is: 'facts',
        facts: [
          ['氏名または名称', seller],
          ['住所', address],
          ['電話番号', phone],
          ['メールアドレス', contact],
          ...(hours === '' ? [] : ([['電話の受付時間', hours]] as const)),
        ],
      },
      line('購入に関する連絡のためにだけお使いください。公開したり、ほかの人に渡したりしないでください。'),
      line('請求したことと、請求した人の名前は、販売者に伝え、記録しています。'),
      { is: 'link', label: '特定商取引法に基づく表記を見る', url },
    ],
    foot: buyerFoot,
  }
}

function taken({ creator, due, url }: Of<'seller_request_taken'>): EmailText {
  return {
    subject: '開示の請求を受け付けました',
    parts: [
      line(
        `${oneLine(creator)}さんの販売者としての情報の開示の請求を受け付けました。運営者が確認し、メールで回答します。`,
      ),
      { is: 'facts', facts: [['回答の期限', japaneseTime(due)]] },
      { is: 'link', label: '特定商取引法に基づく表記を見る', url },
    ],
    foot: buyerFoot,
  }
}

function mediated({ creator, note, url }: Of<'seller_mediated'>): EmailText {
  return {
    subject: '開示の請求に回答します',
    parts: [
      line(`${oneLine(creator)}さんの販売者としての情報の開示の請求に、運営者が回答します。`),
      line(note),
      { is: 'link', label: '特定商取引法に基づく表記を見る', url },
    ],
    foot: buyerFoot,
  }
}

const requestedLines: Record<Of<'seller_requested'>['state'], string> = {
  disclosed:
    '特定商取引法に基づき、登録されている氏名、住所、電話番号、メールアドレスをこの人に開示しました。',
  waiting: 'この請求には運営者が回答します。開示することになったときは、メールでお知らせします。',
  missing:
    '販売者の情報が登録されていないため、いまは運営者が対応しています。法律により、販売者は請求から遅滞なく開示する必要があります。すぐに登録してください。',
}

function requested({ state, requester, at, url }: Of<'seller_requested'>): EmailText {
  const parts: Part[] = [
    line('あなたの販売者としての情報の開示が請求されました。'),
    {
      is: 'facts',
      facts: [
        ['請求した人', oneLine(requester)],
        ['請求の日時', japaneseTime(at)],
      ],
    },
    line(requestedLines[state]),
    ...(state === 'disclosed'
      ? [line('迷惑な連絡や危険を感じることがあったときは、すぐに運営者にご連絡ください。')]
      : []),
    { is: 'link', label: state === 'missing' ? '販売者の情報を登録する' : '請求の記録を見る', url },
  ]
  return {
    subject: state === 'disclosed' ? '販売者の情報を開示しました' : '販売者の情報の開示が請求されました',
    parts,
    foot: creatorFoot,
  }
}

function missing({ due, url }: Of<'seller_missing'>): EmailText {
  return {
    subject: '販売者の情報を登録してください',
    parts: [
      line(
        '購入した人などから、あなたの販売者としての情報の開示が請求されていますが、まだ登録されていません。',
      ),
      line('登録すると、請求に回答できます。登録されないときは、期限までに運営者が対応します。'),
      { is: 'facts', facts: [['回答の期限', japaneseTime(due)]] },
      { is: 'link', label: '販売者の情報を登録する', url },
    ],
    foot: creatorFoot,
  }
}

function stored({ published, at, url }: Of<'seller_stored'>): EmailText {
  return {
    subject: '販売者の情報が保存されました',
    parts: [
      line(
        published
          ? '販売者の情報が保存され、特定商取引法に基づく表記に公開されました。'
          : '販売者の情報が保存されました。請求した人にだけ開示します。',
      ),
      { is: 'facts', facts: [['保存した日時', japaneseTime(at)]] },
      line('お心当たりがないときは、すぐにパスワードを再設定し、運営者にご連絡ください。'),
      { is: 'link', label: '特定商取引法に基づく表記を見る', url },
    ],
    foot: creatorFoot,
  }
}

const removed = ({ at }: Of<'seller_removed'>): EmailText => ({
  subject: '販売者の情報が削除されました',
  parts: [
    line('販売者の情報が削除されました。登録されるまで、開示の請求には運営者が対応します。'),
    { is: 'facts', facts: [['削除した日時', japaneseTime(at)]] },
    line('お心当たりがないときは、すぐにパスワードを再設定し、運営者にご連絡ください。'),
  ],
  foot: creatorFoot,
})

export function sellerEmail(email: SellerEmail): EmailText {
  switch (email.is) {
    case 'seller_disclosed':
      return disclosed(email)
    case 'seller_request_taken':
      return taken(email)
    case 'seller_mediated':
      return mediated(email)
    case 'seller_requested':
      return requested(email)
    case 'seller_missing':
      return missing(email)
    case 'seller_stored':
      return stored(email)
    case 'seller_removed':
      return removed(email)
    default:
      return email satisfies never
  }
}
