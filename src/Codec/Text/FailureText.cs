namespace Gateway.Codec.Text;

/// <summary>The exception of a source or a peer, on one line and without a stack trace: a failure that is not ours. Any
/// thread.</summary>
public static class FailureText
{
    private const int MaxLength = 500;

    /// <summary>The types and messages of the exception and those inside it, escaped.</summary>
    public static string Of(Exception exception)
    {
        var text = $"{exception.GetType().Name}: {exception.Message}";
        for (var inner = exception.InnerException; inner is not null && text.Length < MaxLength;
            inner = inner.InnerException)
            text += $" <- {inner.GetType().Name}: {inner.Message}";
        return PeerText.EscapeLine(text, MaxLength);
    }
}
