namespace Gateway.Sources.OpcUa.Drift;

/// <summary>FNV-1a of 64 bits: the same in each run, which <c>string.GetHashCode</c> is not. An upstream that makes two
/// texts meet on purpose deceives about its own nodes only.</summary>
internal static class TextDigest
{
    public const ulong Seed = 14_695_981_039_346_656_037;

    private const ulong Prime = 1_099_511_628_211;

    /// <summary>The text and its end: two texts in a row are another digest than one long text.</summary>
    public static ulong Add(ulong digest, string? text)
    {
        foreach (var letter in text ?? "")
            digest = (digest ^ letter) * Prime;
        return (digest ^ ushort.MaxValue) * Prime;
    }
}
