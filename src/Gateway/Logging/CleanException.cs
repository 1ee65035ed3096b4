using Gateway.Codec.Text;

namespace Gateway.Host.Logging;

/// <summary>An exception as it may be printed: one line, escaped and cut (R24).</summary>
internal sealed class CleanException(Exception of) : Exception(PeerText.EscapeLine(of.Message))
{
    private const int MaxLength = 4096;

    private readonly string _text = PeerText.EscapeLine(
        of.ToString().ReplaceLineEndings("\n").Replace("\n   at ", " | at ", StringComparison.Ordinal), MaxLength);

    public override string ToString() => _text;
}
