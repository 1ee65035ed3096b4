using System.Buffers.Text;
using System.Globalization;
using System.Text;

namespace Gateway.Loadtest.Scenarios.Rest.Streams;

/// <summary>The tags that one viewer watches: so many of the plant's from one on, and again from the first.</summary>
internal sealed class StreamTags
{
    private readonly byte[] _prefix;
    private readonly byte[] _suffix;
    private readonly int _firstTag;
    private readonly int _plantTags;
    private readonly int _start;

    /// <param name="options">How tags are named.</param>
    /// <param name="plantTags">How many there are.</param>
    /// <param name="start">The first of them, from 0.</param>
    /// <param name="count">At most as many as there are.</param>
    public StreamTags(RunOptions options, int plantTags, int start, int count)
    {
        (_firstTag, _plantTags, _start, Count) = (options.FirstTag, plantTags, start % plantTags, count);
        var format = options.TagFormat.Split("{0}");
        _prefix = Encoding.UTF8.GetBytes(format[0]);
        _suffix = Encoding.UTF8.GetBytes(format[^1]);
        Ids = [.. Enumerable.Range(0, count).Select(i => string.Format(
            CultureInfo.InvariantCulture, options.TagFormat, _firstTag + ((_start + i) % plantTags)))];
    }

    public int Count { get; }

    /// <summary>Node ids; the place of one is its handle.</summary>
    public string[] Ids { get; }

    public bool TryFind(ReadOnlySpan<byte> id, out uint handle)
    {
        handle = 0;
        if (!id.StartsWith(_prefix) || !id.EndsWith(_suffix))
            return false;
        var digits = id[_prefix.Length..^_suffix.Length];
        if (!Utf8Parser.TryParse(digits, out int number, out var read) || read != digits.Length)
            return false;
        var place = (number - _firstTag - _start + _plantTags) % _plantTags;
        handle = (uint)place;
        return number >= _firstTag && place < Count;
    }
}
