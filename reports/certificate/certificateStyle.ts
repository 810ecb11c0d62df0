/** Style of the printable certificate: one page of A4, the same on a screen. */
export const certificateStyle = `
@page { size: A4; margin: 12mm; }
* { box-sizing: border-box; }
body { margin: 0; background: #fff; color: #111; font: 10pt/1.35 system-ui, "DejaVu Sans", sans-serif; }
main { max-width: 186mm; margin: 0 auto; padding: 6mm; border: .6mm solid #1d4f91; }
h1 { font-size: 20pt; margin: 0; color: #1d4f91; }
h2 { font-size: 10pt; margin: 3mm 0 0; }
.claim { font-size: 12pt; margin: 2mm 0 3mm; }
dl { margin: 0; font-size: 8.5pt; }
dl div { display: grid; grid-template-columns: 32mm minmax(0, 1fr); gap: 2mm; padding: .4mm 0; }
dt { color: #555; } dd { margin: 0; overflow-wrap: anywhere; }
table { width: 100%; border-collapse: collapse; margin-top: 3mm; font-size: 8pt; }
caption { text-align: left; font-weight: 600; padding-bottom: .5mm; }
th, td { text-align: left; padding: .25mm 2mm .25mm 0; border-bottom: .1mm solid #bbb; font-weight: 400; vertical-align: top; overflow-wrap: anywhere; }
thead th { color: #555; } tfoot :is(th, td) { font-weight: 600; border: 0; } small { color: #555; }
section ul { margin: .5mm 0; padding-left: 5mm; font-size: 8.5pt; } section p { font-size: 8.5pt; margin: 2mm 0 0; }
footer { display: grid; grid-template-columns: 28mm minmax(0, 1fr); gap: 5mm; align-items: center; margin-top: 4mm; font-size: 8.5pt; }
footer svg { width: 28mm; height: 28mm; } footer p { margin: 0 0 1.5mm; } code { overflow-wrap: anywhere; font-size: 8pt; }
@media (max-width: 40rem) { footer, dl div { grid-template-columns: minmax(0, 1fr); } main { border: 0; padding: 4vw; } }
@media print { main { border: 0; padding: 0; } svg { print-color-adjust: exact; } }
`;
