using System.Globalization;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Sources.OpcUa.Browsing;

/// <summary>The remaining budget of one browse of an upstream. State: sums since the browse began. Owner: one
/// connector's loop. Errors: <see cref="UpstreamBoundException"/>, which ends the browse.</summary>
internal sealed class BrowseBudget(UpstreamLimits limits, TimeProvider time, BrowseProgress? progress = null)
{
    /// <summary>A BrowsedReference and its place in a list, a node with its facts and its place in a table, and what an
    /// array or a text costs beside its content.</summary>
    private const int ReferenceBytes = 64;
    private const int NodeBytes = 320;
    private const int TextBytes = 24;

    private readonly long _since = time.GetTimestamp();
    private long _references;
    private long _bytes;

    public UpstreamLimits Limits => limits;

    /// <summary>Before each request.</summary>
    public void CheckTime()
    {
        if (time.GetElapsedTime(_since) > limits.MaxUpstreamBrowseTime)
            throw new UpstreamBoundException(
                UpstreamBound.MaxUpstreamBrowseTime, $"its browse takes more than {limits.MaxUpstreamBrowseTime}");
        progress?.OnRequest();
    }

    /// <summary>Before anything of an answer is kept.</summary>
    public void TakeReferences(ReferenceDescription[] references)
    {
        _references += references.Length;
        if (_references > limits.MaxUpstreamReferences)
            throw new UpstreamBoundException(
                UpstreamBound.MaxUpstreamReferences,
                Text($"it answers more than {limits.MaxUpstreamReferences:N0} references"));
        TakeBytes((long)references.Length * ReferenceBytes);
    }

    public void TakeNode(in ReferenceDescription reference) => TakeBytes(
        NodeBytes + SizeOf(reference.NodeId.NodeId) + SizeOf(reference.TypeDefinition.NodeId) +
        SizeOf(reference.BrowseName.Name) + SizeOf(reference.DisplayName));

    public void TakeText(LocalizedText text) => TakeBytes(SizeOf(text));

    public void TakeBytes(long bytes)
    {
        _bytes += bytes;
        if (_bytes > limits.MaxUpstreamBrowseBytes)
            throw new UpstreamBoundException(
                UpstreamBound.MaxUpstreamBrowseBytes,
                Text($"its nodes take more than {limits.MaxUpstreamBrowseBytes:N0} bytes"));
    }

    /// <summary>For people: it is shown as far as it goes.</summary>
    public LocalizedText Cut(LocalizedText text)
    {
        var longest = limits.MaxUpstreamTextLength;
        return text.Text?.Length > longest || text.Locale?.Length > longest
            ? new LocalizedText(text.Text?[..Math.Min(text.Text.Length, longest)])
            : text;
    }

    public static void ThrowIfEndless(UpstreamLimits limits, int rounds, int empty)
    {
        if (rounds > limits.MaxUpstreamBrowseRounds)
            throw new UpstreamBoundException(
                UpstreamBound.MaxUpstreamBrowseRounds,
                Text($"the references of one node need more than {limits.MaxUpstreamBrowseRounds:N0} BrowseNext"));
        if (empty > limits.MaxUpstreamEmptyAnswers)
            throw new UpstreamBoundException(
                UpstreamBound.MaxUpstreamEmptyAnswers,
                Text($"{empty:N0} answers one after the other had a continuation point and no reference"));
    }

    private static long SizeOf(NodeId id) => id.IdType switch
    {
        IdType.String => SizeOf(id.String),
        IdType.Opaque => TextBytes + (id.Opaque?.Length ?? 0),
        IdType.Guid => TextBytes,
        _ => 0,
    };

    private static long SizeOf(LocalizedText text) => SizeOf(text.Text) + SizeOf(text.Locale);

    private static long SizeOf(string? text) => text is null ? 0 : TextBytes + (text.Length * sizeof(char));

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
