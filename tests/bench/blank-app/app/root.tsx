/** The empty page: Remix's own cost, without style, script or data. */
import { Outlet } from "@remix-run/react";

export default function Root() {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Empty</title>
      </head>
      <body>
        <Outlet />
      </body>
    </html>
  );
}
