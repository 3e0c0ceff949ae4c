// The sentence for the operator about an error that ends a start.
import path from 'node:path'
import { NotConnected } from './adapters/database/connecting.ts'
import { folderSentence, isRefusal } from './adapters/database/embedded/refusals.ts'
import { FolderInUse } from './adapters/database/folder-in-use.ts'
import { SchemaNewer } from './adapters/database/migrate.ts'
import { SessionsShared, VersionTooOld } from './adapters/database/own-session.ts'
import { PlacesUnreadable } from './adapters/geoip.ts'
import { KeyFileUnreadable } from './adapters/key-file-unreadable.ts'
import { AppUnreadable } from './http/app/pages.ts'
import { MetricsPortInUse } from './modules/metrics/listener.ts'
import { KeysDiffer, KeysMissing } from './services/keys/equal-keys.ts'
import { WrongMasterKey } from './services/keys/retained.ts'
import { UnfinishedCopy } from './store/anonymise/copy-mark.ts'
import { UnfinishedRestore } from './store/backup/restore-mark.ts'

/** Errors whose message is the sentence. */
const withSentence = [
  AppUnreadable,
  FolderInUse,
  KeyFileUnreadable,
  KeysDiffer,
  KeysMissing,
  MetricsPortInUse,
  PlacesUnreadable,
  SchemaNewer,
  SessionsShared,
  UnfinishedCopy,
  UnfinishedRestore,
  VersionTooOld,
  WrongMasterKey,
]

const URL_NAME = '環境変数 DATABASE_URL'

/** What PostgreSQL or the way to it says, by the code of the error. */
const ofDatabase: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:28P01|28000)$/,
    `データベースがログインを拒否しました。${URL_NAME} のユーザー名とパスワードと、PostgreSQL の pg_hba.conf を確認してください。`,
  ],
  [
    /^(?:3D000|57P04)$/,
    `${URL_NAME} の名前のデータベースがありません。名前を確認するか、createdb で作成してください。`,
  ],
  [
    /^42501$/,
    'データベースのユーザーに、テーブルを作成・変更する権限がありません。データベースの所有者にするか、スキーマ public の権限を与えてください。',
  ],
  [
    /^25006$/,
    `${URL_NAME} の先は、書き込めない複製（スタンバイ）です。プライマリのサーバーのアドレスにしてください。`,
  ],
  [
    /^53300$/,
    'データベースの接続数が上限に達しています。PostgreSQL の max_connections を増やすか、ほかの接続を閉じてください。',
  ],
  [
    /^(?:53100|53200)$/,
    'データベースのディスクかメモリが足りません。PostgreSQL のサーバー（内蔵データベースならこのサーバー）の空きを増やしてください。',
  ],
  [
    /^55P03$/,
    'データベースの更新に必要なテーブルを、ほかの接続が長く使っています。pg_stat_activity で長い処理を確認し、終わってから起動してください。',
  ],
  [/^57P0[123]$/, 'データベースが起動または停止の途中です。少し待ってから起動してください。'],
  [/^XX00[12]$/, 'データベースの内容が壊れています。書き込まずに、バックアップから復元してください。'],
  [
    /^(?:ENOTFOUND|EAI_AGAIN)$/,
    `データベースのサーバーの名前が見つかりません。${URL_NAME} のホスト名と、DNS を確認してください。`,
  ],
  [
    /^(?:CERT_|ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO)/,
    `データベースの証明書を確認できません。${URL_NAME} の sslmode と、NODE_EXTRA_CA_CERTS の認証局の証明書を確認してください。`,
  ],
]
const NO_TLS = `データベースが TLS に対応していません。PostgreSQL の ssl を on にするか、${URL_NAME} の sslmode を外してください。`
const UNREACHABLE = `データベースに接続できません。PostgreSQL が起動しているか、${URL_NAME} のアドレスとポートに届くかを確認してください。`

const S3_NAMES = '環境変数 S3_ENDPOINT・S3_REGION'

/** About an error of the object store; the SDK adds `$metadata` to each, also without a reply. */
function storeSentence(causes: readonly object[]): string | undefined {
  const error = causes.find((it) => '$metadata' in it) as
    | { name?: string; $metadata: { httpStatusCode?: number } }
    | undefined
  if (!error) return undefined
  const status = error.$metadata.httpStatusCode ?? 0
  if (error.name === 'RequestTimeTooSkewed')
    return 'オブジェクトストレージの時刻と、このサーバーの時刻が合いません。時計を合わせてください。'
  if (status === 401 || status === 403)
    return 'オブジェクトストレージがアクセスを拒否しました。環境変数 S3_ACCESS_KEY_ID と S3_SECRET_ACCESS_KEY と、バケットの権限を確認してください。'
  if (status === 404 || error.name === 'NoSuchBucket')
    return '環境変数 S3_BUCKET か S3_IDENTITY_BUCKET の名前のバケットがありません。名前を確認するか、バケットを作成してください。'
  return `オブジェクトストレージに接続できません。ストレージが動いているか、${S3_NAMES} が正しいかを確認してください。`
}

const NO_MEMORY =
  'メモリが足りません。空きメモリを増やすか、コンテナー・systemd・ulimit の上限を上げてから、もう一度実行してください。'

const isOfMemory = ({ code, message = '' }: Partial<NodeJS.ErrnoException>): boolean =>
  code === 'ENOMEM' ||
  code === 'ERR_WORKER_OUT_OF_MEMORY' ||
  /^(?:Array buffer allocation failed|WebAssembly\.Memory\(\): could not allocate memory)/.test(message)

/** Errors in the chain of causes, the outermost first; of several tries at once, such as addresses of one host, also the first. */
function* causesOf(error: unknown): Generator<Partial<NodeJS.ErrnoException> & { errcode?: number }> {
  let inner = error
  while (inner instanceof Error) {
    yield inner
    inner = inner.cause ?? (inner instanceof AggregateError ? inner.errors[0] : undefined)
  }
}

function databaseSentence(causes: readonly Partial<NodeJS.ErrnoException>[]): string | undefined {
  for (const { code = '' } of causes) {
    const found = ofDatabase.find(([codes]) => codes.test(code))
    if (found) return found[1]
  }
  if (causes.some((it) => it.message === 'The server does not support SSL connections')) return NO_TLS
  return causes.some((it) => it instanceof NotConnected) ? UNREACHABLE : undefined
}

/** The environment, as far as sentences name it. */
interface Env {
  readonly DATA_DIR: string
  readonly DATABASE_URL: string
  readonly HOST: string
  readonly PORT: number
}

function listenSentence(
  { code = '', syscall }: Partial<NodeJS.ErrnoException>,
  env: Env,
): string | undefined {
  const host = `環境変数 HOST の ${env.HOST}`
  if (syscall === 'getaddrinfo' && env.DATABASE_URL === '')
    return `${host} という名前が見つかりません。このサーバーのアドレスにしてください。`
  if (syscall !== 'listen') return undefined
  if (code === 'EADDRINUSE')
    return `ポート ${env.PORT} はすでに使われています。環境変数 PORT で別の番号にしてください。`
  if (code === 'EACCES')
    return `ポート ${env.PORT} を開く権限がありません。環境変数 PORT を 1024 以上にし、前にプロキシを置いてください。`
  return `${host} で待ち受けられません。このサーバーのアドレスにしてください。`
}

/** Codes of SQLite, which locks the data folder, as codes of the file system. */
const ofSqlite: Readonly<Record<number, string>> = { 8: 'EROFS', 10: 'EIO', 13: 'ENOSPC', 14: 'EACCES' }

function fileSentence(
  { code = '', path: file, errcode }: Partial<NodeJS.ErrnoException> & { errcode?: number },
  { DATA_DIR }: Env,
): string | undefined {
  // The low byte is the kind.
  if (code === 'ERR_SQLITE_ERROR') return folderSentence(DATA_DIR, ofSqlite[(errcode ?? 0) & 255] ?? '')
  const isInside = file !== undefined && `${path.resolve(file)}/`.startsWith(`${DATA_DIR}/`)
  // A folder that cannot be made: its parent is a file, or not writable.
  const isAround = file !== undefined && `${DATA_DIR}/`.startsWith(`${path.resolve(file)}/`)
  return isInside || isAround ? folderSentence(DATA_DIR, code) : undefined
}

/** The sentence about an error that the operator can mend; undefined for other errors. */
export function startSentence(error: unknown, env: Env): string | undefined {
  if (error instanceof Error && (isRefusal(error) || withSentence.some((it) => error instanceof it)))
    return error.message
  const causes = [...causesOf(error)]
  const first = causes.at(-1) ?? {}
  if (causes.some(isOfMemory)) return NO_MEMORY
  return (
    storeSentence(causes) ??
    fileSentence(first, env) ??
    (causes.some((it) => it instanceof NotConnected) ? databaseSentence(causes) : undefined) ??
    listenSentence(first, env) ??
    databaseSentence(causes)
  )
}

const REPORT =
  '原因は次のエラーです。docs/operate/troubleshoot.md にない場合は、このエラーを添えて開発元に知らせてください。'

/** Said before the stack of an error without a sentence. */
export const UNFORESEEN = `起動できませんでした。${REPORT}`
export const UNFORESEEN_IN_COMMAND = `コマンドを最後まで実行できませんでした。${REPORT}`
