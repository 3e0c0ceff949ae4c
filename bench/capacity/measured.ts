// What one unit of work costs, by `npm run bench -- costs` on two cores.

/** Processor times in ms, memory in bytes, of 27 November 2026; sources: `docs/operate/capacity.md`. */
export const measured = {
  /** A page of ten posts: of the server, of PostgreSQL, and of nginx before the server. */
  page: { server: 0.45, database: 0.56, proxy: 0.11 },
  /** A post with its comments. */
  post: { server: 0.45, database: 0.52, proxy: 0.12 },
  /** Writes, with what they make others receive. A message includes two requests of its recipient. */
  like: { server: 0.82, database: 1.5, proxy: 0.06 },
  comment: { server: 1.4, database: 1.9, proxy: 0.06 },
  message: { server: 3.1, database: 4.6, proxy: 0.34 },
  /** A read mark of a conversation. */
  read: { server: 0.91, database: 1.5, proxy: 0.09 },
  /** A bought picture of 250 kB: the server's check of access, and nginx that sends it. */
  file: { server: 0.24, database: 0.16, proxy: 0.08 },
  /** A server without requests, in each second, and PostgreSQL with it. */
  idle: { server: 3.3, database: 3.3 },
  /** A frame that one live connection receives. */
  frame: { server: 0.02 },
  /** A server without connections. */
  server: 400e6,
  /** An open live connection: in the server's process, and one end of it in the kernel. */
  connection: { process: 5_000, kernel: 4_800 },
  /** Sending 1 MB of a video into the object store. */
  uploadedMegabyte: { server: 12 },
  /** A video without its seconds: processes, copy and poster. */
  video: { worker: 720 },
  /** One second of a video at 1080p and 30 frames: its smaller steps, and encoding what browsers cannot play. */
  videoSecond: { steps: 840, encoded: 1220 },
} as const
