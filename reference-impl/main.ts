// The gateway process: node main.ts --state DIR [--http-port N] [--https-port N] [--address A] [--path-prefix P]
import { serve } from "./serve.ts";

await serve(process.argv.slice(2));
