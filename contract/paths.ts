// Default paths of the calls of section 7; a build can use others.

/** Base of every endpoint. */
export const API_BASE = '/api'
/** Resumable uploads, below the public base URL (section 7). */
export const TUS_PATH = '/upload-chunking-2'
/** Media files: `/api/media/{media id}/{variant}`. */
export const MEDIA_PATH = '/api/media'
/** Where the share sheet of the device sends its form; the worker takes it (manifest: share_target). */
export const SHARE_PATH = '/share-target'
/** The sandboxed document that decodes HEIC where a browser has no WebAssembly. */
export const HEIC_SANDBOX_PATH = '/heic-sandbox.html'

/** The fixtures of /dev/media on the development server: the list, and each file below it. */
export const MEDIA_FIXTURES_PATH = '/dev/media/files'

/** Why the editor opens without what was shared: `?share=`. `away`: no worker was there to take it. */
export const shareTroubles = ['empty', 'large', 'full', 'failed', 'away'] as const
export type ShareTrouble = (typeof shareTroubles)[number]
/** Live messages: `/ws/app/{key}` (section 9). */
export const REALTIME_PATH = '/ws'
/** Where another process of the operator sends signed live messages: `/apps/{id}/events`. */
export const REALTIME_API_PATH = '/apps'
/** Id of the client's live connection, sent with each call so that the call's own events are not sent back to it. */
export const SOCKET_HEADER = 'x-socket-id'

/** A face, as wide as a profile shows it on the sharpest screens, px. */
export const FACE_WIDTH = 240
/** Where the picture of a person is, whose avatar the media is. */
export const facePath = (mediaId: string): string => `${MEDIA_PATH}/${mediaId}/w${FACE_WIDTH}`

/** Where payment providers send their notices: `/api/payment-notices/{secret}`, for some with the provider's name after it. */
export const PAYMENT_NOTICES_PATH = `${API_BASE}/payment-notices`
/** The practice card form, where no real provider is configured. */
export const SANDBOX_PATH = `${API_BASE}/payment-sandbox`
/** The page of the practice provider to which a buyer is redirected: `/api/payment-sandbox/pages/{number}`. */
export const HOSTED_SANDBOX_PATH = `${SANDBOX_PATH}/pages`
/** The page of the app to which the provider's form leads back. */
export const PAYMENT_RETURN_PATH = '/payment/return'
