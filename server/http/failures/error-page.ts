// Pages that a browser shows where the app cannot.

/**
 * Whether a browser shows the reply to a person, such as that of a link in an email. Calls of the API accept JSON alone.
 * @param accept the header `Accept`
 */
export const wantsPage = (accept: string | undefined): boolean => /\btext\/html\b/.test(accept ?? '')

/**
 * Names the request as the log of the server does, so that a person can report it.
 * @param requestId a UUID that this server has made
 * @returns HTML without a script or style, which the policy of the server would refuse
 */
export const errorPage = (requestId: string): string => `<!doctype html>
<html lang="ja">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>表示できませんでした - とどけ</title>
<h1>ページを表示できませんでした</h1>
<p>しばらくしてから、もう一度開いてください。</p>
<p>お問い合わせの際は、この番号をお伝えください。<br><code>${requestId}</code></p>
<p><a href="/">ホームへ</a></p>
</html>
`

/** The page of an address that cannot be decoded, which the app could not read either. */
export const notFoundPage = `<!doctype html>
<html lang="ja">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>ページが見つかりません - とどけ</title>
<h1>ページが見つかりません</h1>
<p>移動または削除されたか、URLが間違っている可能性があります。</p>
<p><a href="/">ホーム画面</a></p>
</html>
`
