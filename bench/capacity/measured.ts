// What one unit of work costs, by the benches on two cores.

/** Processor times in ms, memory in bytes; sources: `docs/operate/capacity.md`. */
export const measured = {
  /** A page of ten posts: of the server, of PostgreSQL, and of nginx before the server. */
  page: { server: 1.5, database: 2.2, proxy: 0.2 },
  /** A post with its comments. */
  post: { server: 1.1, database: 0.9, proxy: 0.2 },
  /** Writes, with what they make others receive. A message includes two requests of its recipient. */
  like: { server: 4, database: 5, proxy: 0.1 },
  comment: { server: 4, database: 5, proxy: 0.1 },
  message: { server: 4, database: 5, proxy: 0.1 },
  /** A read mark of a conversation. */
  read: { server: 4, database: 5, proxy: 0.1 },
  /** A bought picture of 250 kB: the server's check of access, and nginx that sends it. */
  file: { server: 0.7, database: 0.2, proxy: 0.2 },
  /** A server without requests, in each second, and PostgreSQL with it. */
  idle: { server: 20, database: 10 },
  /** A frame that one live connection receives. */
  frame: { server: 0.02 },
  /** A server without connections. */
  server: 300e6,
  /** An open live connection: in the server's process, and one end of it in the kernel. */
  connection: { process: 15_000, kernel: 5000 },
  /** Sending 1 MB of a video into the object store. */
  uploadedMegabyte: { server: 12 },
  /** A video without its seconds: processes, copy and poster. */
  video: { worker: 1000 },
  /** One second of a video at 1080p and 30 frames: its smaller steps, and encoding what browsers cannot play. */
  videoSecond: { steps: 2500, encoded: 1000 },
} as const
