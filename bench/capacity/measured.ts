// What one unit of work costs, by the benches on two cores.

/** Processor times in ms, memory in bytes; sources: `docs/operate/capacity.md`. */
export const measured = {
  /** A page of ten posts: of the server, and of PostgreSQL. */
  page: { server: 1.5, database: 2.2 },
  /** A post with its comments. */
  post: { server: 1.1, database: 0.9 },
  /** A like, a comment, a message or a read mark, with what it makes others receive. */
  write: { server: 4, database: 5 },
  /** A media file behind nginx: the check of access. */
  file: { server: 0.7, database: 0.2 },
  /** A frame that one live connection receives. */
  frame: { server: 0.02 },
  /** An open live connection. */
  connection: 20_000,
  /** Sending 1 MB of a video into the object store. */
  uploadedMegabyte: { server: 12 },
  /** One second of a video at 1080p and 30 frames, made into all its steps. */
  videoSecond: { worker: 2500 },
} as const
