using Gateway.Codec.Text;

namespace Gateway.Codec.Tests.Text;

public sealed class PeerTextTests
{
    [Theory]
    [InlineData(null, "")]
    [InlineData("plain", "plain")]
    [InlineData("a\r\nb\tc", "a\\u000D\\u000Ab\\u0009c")]
    [InlineData("\u001b[31mred\u001b[0m\u0007", "\\u001B[31mred\\u001B[0m\\u0007")]
    [InlineData("c1 \u0085 \u009b31m", "c1 \\u0085 \\u009B31m")]
    [InlineData("a\u202eb\u2066c\u200fd\ufeff", "a\\u202Eb\\u2066c\\u200Fd\\uFEFF")]
    [InlineData("line\u2028para\u2029", "line\\u2028para\\u2029")]
    [InlineData("nul\0", "nul\\u0000")]
    [InlineData("tag \U000E0041", "tag \\uDB40\\uDC41")]
    [InlineData("private \uE000", "private \\uE000")]
    [InlineData("no\u00a0break", "no\\u00A0break")]
    [InlineData("say \"x\" \\", "say \\u0022x\\u0022 \\u005C")]
    [InlineData("Größe 25 °C 😀 漢字 – § 5", "Größe 25 °C 😀 漢字 – § 5")]
    public void Escape_TextOfAPeer_OneHarmlessLine(string? text, string expected) =>
        Assert.Equal(expected, PeerText.Escape(text));

    /// <summary>A theory's data cannot hold these.</summary>
    [Fact]
    public void Escape_LoneSurrogates_Escaped() =>
        Assert.Equal("high \\uD800 low \\uDC00", PeerText.Escape("high \ud800 low \udc00"));

    [Fact]
    public void EscapeLine_WhatIsEscapedAlready_NotEscapedTwice() =>
        Assert.Equal(
            "user \"a\\u001Bb\" \\u000A", PeerText.EscapeLine("user \"" + PeerText.Escape("a\u001bb") + "\" \n"));

    [Theory]
    [InlineData("x")]
    [InlineData("\u001b")]
    [InlineData("😀")]
    [InlineData("漢")]
    public void Escape_AnyLength_NeverLongerThanStated(string piece)
    {
        for (var repeat = 0; repeat < 60; repeat++)
        {
            var text = string.Concat(Enumerable.Repeat(piece, repeat)) + "y";
            for (var length = 1; length < 40; length++)
            {
                var safe = PeerText.Escape(text, length);

                Assert.True(safe.Length <= length, $"{safe.Length} for {length}: {safe}");
                Assert.Equal(!safe.EndsWith('y'), safe.EndsWith('…'));
                Assert.DoesNotContain(safe, character => char.IsControl(character));
            }
        }
    }

    [Fact]
    public void Escape_EveryCharacter_NothingThatMovesATerminal()
    {
        for (var unit = 0; unit <= char.MaxValue; unit++)
        {
            var safe = PeerText.Escape(((char)unit).ToString());

            Assert.DoesNotContain(safe, character =>
                char.IsControl(character) || char.IsSurrogate(character) || character is '\u2028' or '\u2029' or
                    (>= '\u200b' and <= '\u200f') or (>= '\u202a' and <= '\u202e') or (>= '\u2060' and <= '\u206f'));
        }
    }
}
