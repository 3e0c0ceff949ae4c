// Texts of registration, password reset, and changes of email and password.

export const accountText = {
  showRepeated: '確認用のパスワードを表示',
  hideRepeated: '確認用のパスワードを隠す',
  conditions: {
    label: 'パスワードの条件',
    length: '8〜32文字',
    mixed: '英字と、数字または記号の両方',
    signs: '使える文字は英字・数字・@$!%*#?&^_-',
    met: '（満たしています）',
  },

  resend: {
    action: 'メールを再送する',
    wait: (seconds: number) =>
      seconds > 120 ? `あと約${Math.ceil(seconds / 60)}分で再送できます` : `あと${seconds}秒で再送できます`,
    done: 'メールを再送しました。',
  },
  spam: 'メールが届かないときは、アドレスに間違いがないか、迷惑メールに振り分けられていないかを確認してください。',

  register: {
    emailHint: 'このアドレスに確認のメールを送ります。',
    /** Links are between the parts. */
    consent: {
      terms: '利用規約',
      and: 'と',
      privacy: 'プライバシーポリシー',
      agree: 'に同意し、18歳以上であることを確認しました',
    },
    invite: '招待コード',
    inviteRequired: '招待コードを入力してください。',
    inviteUnusable: 'この招待コードは使えません。コードと有効期限を確認してください。',
    inviteHint: '現在は、招待された方だけが登録できます。',
    /** Why there is no form. */
    closed: {
      closed: {
        title: '新規登録は停止しています',
        text: '現在、新しいアカウントの登録を受け付けていません。再開までお待ちください。',
      },
      full: {
        title: '本日の新規登録は終了しました',
        text: '24時間に登録できる人数の上限に達しました。時間をおいて、もう一度お試しください。',
      },
    },
    signInStill: 'アカウントをお持ちの方は、これまでどおりログインできます。',
    sentTitle: '確認のメールを送りました',
    sentTo: '次のアドレスにメールを送りました。',
    sentNext: 'メールに書かれたリンクを24時間以内に開くと、登録が完了します。',
    arrivedTitle: '届いているメールを開いてください',
    arrivedAt: '次のアドレスには、24時間にお送りできる数のメールをすでにお送りしました。',
    arrivedNext: 'いちばん新しいメールに書かれたリンクをこの端末で開くと、登録が完了します。',
    correct: 'アドレスを変更する',
  },

  confirm: {
    title: '登録の確認',
    working: '登録を完了しています',
    elsewhere:
      '登録したときとは別の端末かブラウザーで開いています。登録を完了するには、登録したときのパスワードを入力してください。',
    action: '登録を完了する',
    unusable:
      'このリンクは使えません。有効期限が切れているか、すでに使われています。登録がお済みの方は、ログインしてください。',
    unusableSignedIn:
      'このリンクは使えません。有効期限が切れているか、すでに使われています。ログイン中のアカウントは、このまま利用できます。',
    without: 'メールに書かれたリンクを、もう一度開いてください。',
    again: 'もう一度登録する',
    retry: 'もう一度試す',
  },

  completed: {
    title: '登録が完了しました',
    welcome: (name: string) => `${name}さん、ようこそ。`,
    next: '次にできること',
    profile: '自分のページを見る',
    profileHint: '名前や投稿が、ほかの人にどう見えるかを確認できます。',
    post: '最初の投稿をする',
    postHint: '電波が途切れても、投稿は最後まで届きます。',
    install: 'ホーム画面に追加する',
    installHint:
      'iPhoneとiPadは共有メニューの「ホーム画面に追加」、Androidとパソコンはブラウザーのメニューの「インストール」から追加できます。',
    wanted: '元のページに戻る',
  },

  forgot: {
    link: 'パスワードを忘れた方',
    title: 'パスワードの再設定',
    step: (now: number) => `ステップ${now} / 3`,
    lead: '登録したメールアドレスを入力してください。確認のコードを送ります。',
    send: 'コードを送る',
    codeTitle: 'コードの入力',
    sent: (email: string) =>
      `${email} に6桁のコードを送りました。登録のないアドレスには、コードは届きません。`,
    code: '確認コード（6桁）',
    check: '確認する',
    other: '別のアドレスで試す',
    newTitle: '新しいパスワード',
    newHint: '変更すると、すべての端末からログアウトします。',
    password: '新しいパスワード',
    repeat: '新しいパスワード（確認）',
    change: 'パスワードを変更する',
    again: '最初からやり直す',
    over: '再設定の有効期限が切れました。最初からやり直してください。',
    doneTitle: 'パスワードを変更しました',
    done: 'すべての端末からログアウトしました。新しいパスワードでログインしてください。',
    toLogin: 'ログイン画面へ',
    once: '以前ログインした端末以外では、コードは1時間に1通、1日に3通までお送りします。この1時間に届いたコードのメールがあるときは、そのメールの「コードの受け取りと停止」から、新しいコードを受け取れます。',
  },

  /** Remaining passkeys and sessions after a reset. */
  review: {
    ended: 'ログアウトした端末',
    noneEnded: 'ログイン中の端末はありませんでした。',
    passkeys: '残っているパスキー',
    passkeysHint: 'パスキーは、パスワードを変更しても使えます。心当たりのないものは削除してください。',
    noPasskeys: 'パスキーは登録されていません。',
    remove: '削除',
    removeOf: (name: string) => `${name}を削除`,
    removeTitle: 'このパスキーを削除しますか',
    removeText: (name: string) => `「${name}」ではログインできなくなります。`,
    removeAct: '削除する',
    removed: 'パスキーを削除しました。',
    sessions: '変更のあとにログインした端末',
    noSessions: '変更のあとにログインした端末はありません。',
    unknown: '不明な端末',
    lastUse: (when: string) => `最後の利用 ${when}`,
    created: (day: string) => `${day}に登録`,
    end: 'ログアウト',
    endOf: (name: string) => `${name}をログアウトさせる`,
    endAll: 'すべてログアウトさせる',
    endTitle: 'この端末をログアウトさせますか',
    endAllTitle: 'すべての端末をログアウトさせますか',
    endText: '次に操作したときにログアウトします。',
    endAct: 'ログアウトさせる',
    endDone: '端末をログアウトさせました。',
    over: '変更から時間がたったため、ここではパスキーと端末を表示できません。ログインしてから、設定の「プライバシーと安全」で確認してください。',
    failed: '変更は完了していますが、残っているパスキーと端末を読み込めませんでした。',
  },

  /** The page of a reset email's link. */
  resetMail: {
    title: 'コードの受け取りと停止',
    requestTitle: '新しいコードを受け取る',
    requestText: (email: string) => `${email} に、パスワードを再設定するための新しいコードを送ります。`,
    requestAction: 'コードを送る',
    stopTitle: '心当たりのないコードを止める',
    stop: 'だれかがこのアドレスで再設定を申し込むと、コードのメールが届きます。お心当たりがないときは、7日間止められます。止めている間も、以前ログインした端末とこのページからは、コードを受け取れます。',
    stopAct: '7日間止める',
    stopped: (until: string) => `${until}まで、心当たりのないコードのメールを止めています。`,
    allowAct: 'また受け取る',
    allowed: 'コードのメールを、また受け取ります。',
    without: 'メールに書かれたリンクを、もう一度開いてください。',
    unusable:
      'このリンクは使えません。有効期限が切れているか、アドレスが変更されています。パスワードの再設定は、最初からお試しください。',
    toReset: 'パスワードの再設定へ',
  },

  validate: {
    code: '認証コード',
    codeHint: '認証アプリの6桁の数字です。使えないときは、リカバリーコードを入力してください。',
    codeNeeded: '2段階認証が設定されています。認証アプリに表示されたコードも入力してください。',
    title: 'パスワードの確認',
    why: '大切な設定を変更する前に、ご本人であることを確認します。確認は10分間有効です。',
    action: '確認する',
    stop: 'やめる',
  },

  email: {
    title: 'メールアドレスの変更',
    present: '現在のアドレス',
    next: '新しいメールアドレス',
    nextHint: '新しいアドレスに確認のコードを送ります。変更は、コードを入力するまで行われません。',
    send: 'コードを送る',
    sent: (email: string) => `${email} に6桁のコードを送りました。`,
    change: 'アドレスを変更する',
    other: '別のアドレスにする',
  },

  password: {
    title: 'パスワードの変更',
    hint: '変更すると、この端末以外は、すべてログアウトされます。',
    action: 'パスワードを変更する',
  },

  changed: {
    title: '変更が完了しました',
    email: 'メールアドレスを変更しました。次のログインから、新しいアドレスを使ってください。',
    password: 'パスワードを変更しました。この端末以外は、すべてログアウトされました。',
    home: 'ホームへ',
  },
} as const
