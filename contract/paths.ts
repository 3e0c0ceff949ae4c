// Where the calls of section 7 stand by default; a build can point the client elsewhere.

/** Base of every endpoint. */
export const API_BASE = '/api'
/** Resumable uploads, below the public base URL (section 7). */
export const TUS_PATH = '/upload-chunking-2'
/** Media files: `/api/media/{media id}/{variant}`. */
export const MEDIA_PATH = '/api/media'
