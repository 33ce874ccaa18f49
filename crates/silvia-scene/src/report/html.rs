//! Escapes text for a browser.

/// Escapes text between tags and in quoted attributes.
pub(super) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            // Not allowed in a page in any form.
            '\0' => safe.push('\u{fffd}'),
            other => safe.push(other),
        }
    }
    safe
}

/// Escapes JSON inside a script element: nothing in it can end the element or begin a comment, and its
/// meaning stays the same.
pub(super) fn in_script(json: &str) -> String {
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_a_script_or_opens_a_tag() {
        assert_eq!(escaped("<b a='\"'>&"), "&lt;b a=&#39;&quot;&#39;&gt;&amp;");
        let json = serde_json::json!({ "name": "</script><!-- &" }).to_string();
        let safe = in_script(&json);
        assert!(!safe.contains(['<', '>', '&']));
        assert_eq!(serde_json::from_str::<serde_json::Value>(&safe).unwrap()["name"], "</script><!-- &");
    }
}
