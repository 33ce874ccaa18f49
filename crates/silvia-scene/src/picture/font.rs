//! A stroke font for captions and labels: pictures do not depend on the machine's fonts.

use super::bodies::USUAL_ROWS;
use super::canvas::{Canvas, Colour};

const INK: Colour = [0.02, 0.025, 0.035];
/// Colour of the halo that makes letters readable on any background.
const HALO: Colour = [0.93, 0.935, 0.945];
/// Height of a capital letter in a picture of 720 rows, pixels.
const CAPTION: f64 = 15.0;
/// Least height of a capital letter in a caption, pixels: below it, points are lost.
const LEAST_CAPTION: f64 = 10.0;
/// Width of a stroke, in heights of a capital letter.
const STROKE: f64 = 0.15;
/// Width of the halo on each side, in heights of a capital letter.
const AROUND: f64 = 0.16;
/// Height of a capital letter in drawing units.
const UNITS: f64 = 6.0;

/// Draws a caption in the lower left corner.
pub(super) fn caption(canvas: &mut Canvas, text: &str) {
    let rows = canvas.picture_rows();
    let size = (CAPTION * rows / USUAL_ROWS).max(LEAST_CAPTION);
    write(canvas, [1.3 * size, rows - 1.5 * size], size, text);
}

/// Draws a thin line, for text of a size.
pub(super) fn thread(canvas: &mut Canvas, [from, to]: [[f64; 2]; 2], size: f64) {
    for (width, colour) in [(0.8 * STROKE + 0.5 * AROUND, HALO), (0.6 * STROKE, INK)] {
        canvas.stroke(from, to, width * size, colour);
    }
}

/// Width of a text, pixels.
pub(super) fn width(text: &str, size: f64) -> f64 {
    size / UNITS * text.chars().map(advance).sum::<f64>()
}

/// Draws text from the left end of its baseline; `size` is the height of a capital letter, pixels.
pub(super) fn write(canvas: &mut Canvas, [x, y]: [f64; 2], size: f64, text: &str) {
    let scale = size / UNITS;
    for (width, colour) in [(STROKE + 2.0 * AROUND, HALO), (STROKE, INK)] {
        let mut pen = x;
        for letter in text.chars() {
            // Each letter is drawn in the middle of a wide cell.
            let left = pen - 0.5 * scale * (WIDE - advance(letter));
            pen += scale * advance(letter);
            for stroke in strokes(letter).split_ascii_whitespace() {
                let digit =
                    |at: usize| stroke.as_bytes().get(at).map_or(0.0, |d| f64::from(d.saturating_sub(b'0')));
                let place = |i: usize| [left + scale * digit(2 * i), y + scale * (digit(2 * i + 1) - UNITS)];
                let count = stroke.len() / 2;
                for i in 1..count.max(2) {
                    canvas.stroke(place(i - 1), place(i.min(count - 1)), width * size, colour);
                }
            }
        }
    }
}

/// Width of most letters, in drawing units.
const WIDE: f64 = 5.6;

/// Distance from a letter to the next, in drawing units.
fn advance(letter: char) -> f64 {
    match letter {
        '.' | ',' | ':' | ';' | '!' | '|' | '\'' | 'i' | 'l' => 3.0,
        ' ' | '(' | ')' | '[' | ']' | 'j' | 'f' | 't' | '1' | 'I' => 4.2,
        'm' | 'w' | 'M' | 'W' => 6.0,
        _ => WIDE,
    }
}

/// Strokes from point to point, two digits each: right from the left edge (0 to 4), down from the top of a
/// capital letter (6 is the baseline). A letter that is not here is drawn as a box.
#[rustfmt::skip]
fn strokes(letter: char) -> &'static str {
    match letter {
        ' ' => "", '!' => "2024 26", '"' => "1012 3032", '#' => "1016 3036 0242 0444",
        '$' => "4110010213334445361605 2026",
        '%' => "4006 0010110100 3343463633", '&' => "461210202102050616264344", '\'' => "2022",
        '(' => "30121436", ')' => "10323416",
        '*' => "2125 0244 0442", '+' => "2125 0343", ',' => "2517", '-' => "0343", '.' => "26", '/' => "4006",
        '0' => "103041453616050110", '1' => "112026 1636", '2' => "01103041420646",
        '3' => "01103041423313 334445361605",
        '4' => "36300444", '5' => "4000021333444445361605", '6' => "402012040516364544331304",
        '7' => "004016",
        '8' => "103041423313020110 130405163645443313", '9' => "0616364541301001021343",
        ':' => "22 25", ';' => "22 2517", '<' => "410345", '=' => "0242 0444", '>' => "014305",
        '?' => "011030414223 2324 26",
        '@' => "3432221213243444424130100105163646", 'A' => "062046 1434", 'B' => "000636454433033342413000",
        'C' => "41301001051636 45",
        'D' => "00062644422000", 'E' => "40000646 0333", 'F' => "400006 0333", 'G' => "41301001051636454323",
        'H' => "0006 4046 0343",
        'I' => "1030 2026 1636", 'J' => "40453616 05", 'K' => "0006 4003 0346", 'L' => "000646",
        'M' => "0600234046", 'N' => "06004640",
        'O' => "103041453616050110", 'P' => "06003041423303", 'Q' => "103041453616050110 3446",
        'R' => "06003041423303 2346",
        'S' => "413010010213334445361605", 'T' => "0040 2026", 'U' => "000516364540", 'V' => "002640",
        'W' => "0016233640",
        'X' => "0046 4006", 'Y' => "0023 4023 2326", 'Z' => "00400646", '[' => "30101636", '\\' => "0046",
        ']' => "10303616",
        '^' => "122032", '_' => "0646", '`' => "1021",
        'a' => "12324346 4616051444", 'b' => "00063645433202", 'c' => "4332120305163645",
        'd' => "40461605031242", 'e' => "044443321203051636",
        'f' => "403021 2126 1333", 'g' => "421203051646 42473818", 'h' => "0006 03123243 4346",
        'i' => "20 2226", 'j' => "30 32371808",
        'k' => "0006 4204 1346", 'l' => "202536", 'm' => "0206 031223 2326 233243 4346",
        'n' => "0206 03123243 4346",
        'o' => "123243453616050312", 'p' => "0208 023243453606", 'q' => "4248 421203051646",
        'r' => "1216 13223242", 's' => "4212031434453606",
        't' => "202536 1232", 'u' => "0205163645 4246", 'v' => "022642", 'w' => "0216233642",
        'x' => "0246 4206", 'y' => "0226 421708",
        'z' => "02420646", '{' => "302022131424 2636", '|' => "2026", '}' => "102022333424 2616",
        '~' => "03122332 42",
        _ => "1030361610",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_is_made_of_whole_points_within_its_space() {
        for letter in (b' '..=b'~').map(char::from) {
            for stroke in strokes(letter).split_ascii_whitespace() {
                assert!(stroke.len().is_multiple_of(2), "{letter}: {stroke}");
                let digits: Vec<u8> = stroke.bytes().map(|d| d - b'0').collect();
                assert!(digits.chunks(2).all(|p| p[0] <= 4 && p[1] <= 8), "{letter}: {stroke}");
            }
            assert!(letter == ' ' || !strokes(letter).is_empty());
        }
    }
}
