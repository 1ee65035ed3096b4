using Gateway.Codec.Tests.Samples;
using Gateway.Codec.Text;
using Gateway.Codec.Types;

namespace Gateway.Fuzz.Codec;

/// <summary>Texts made of the pieces that the parsers know, in every wrong order: no exception, and what is accepted
/// comes back from its own text.</summary>
public sealed class TextFuzzTests
{
    private const int Runs = 20_000;

    private static readonly string[] Pieces =
    [
        "ns=", "nsu=", "svr=", "i=", "s=", "g=", "b=", ";", "#", ":", ",", "/", ".", "<", ">", "!", "&", "=", "%",
        "%3B", "%25", "0", "1", "65536", "4294967296", "-", " ", "a", "urn:x", "AAAA", "水", "\uD800", "\0",
        "72962b91-fa75-4ae6-8d28-b404dc7daf63",
    ];

    private static readonly string[] Uris = ["http://opcfoundation.org/UA/", "urn:x", "a;b"];

    [Fact]
    public void NodeIdText_RandomPieces_NeverThrowsAndComesBack()
    {
        var accepted = 0;
        foreach (var text in Texts())
        {
            if (NodeIdText.TryParse(text, out ExpandedNodeId value))
            {
                accepted++;
                Assert.True(NodeIdText.TryParse(value.ToString(), out ExpandedNodeId again), text);
                Assert.Equal(value, again);
            }

            if (!NodeIdText.TryParse(text, Uris, out var resolved))
                continue;
            Assert.True(NodeIdText.TryParse(NodeIdText.Format(resolved, Uris), Uris, out var back), text);
            Assert.Equal(resolved, back);
        }

        Assert.True(accepted > 100, $"{accepted} accepted");
    }

    [Fact]
    public void QualifiedNameText_RandomPieces_NeverThrowsAndComesBack()
    {
        var accepted = 0;
        foreach (var text in Texts())
        {
            if (!QualifiedNameText.TryParse(text, Uris, out var value))
                continue;
            accepted++;
            Assert.True(QualifiedNameText.TryParse(QualifiedNameText.Format(value, Uris), Uris, out var back), text);
            Assert.Equal(value, back);
        }

        Assert.True(accepted > 100, $"{accepted} accepted");
    }

    [Fact]
    public void RelativePathText_RandomPieces_NeverThrowsAndComesBack()
    {
        var accepted = 0;
        foreach (var text in Texts())
        {
            if (!RelativePathText.TryParse(text, static n => new NodeId(n.Name, n.NamespaceIndex), out var path))
                continue;
            accepted++;
            var formatted = RelativePathText.Format(path, static id => new QualifiedName(id.String, id.NamespaceIndex));
            Assert.True(
                RelativePathText.TryParse(formatted, static n => new NodeId(n.Name, n.NamespaceIndex), out var back),
                text);
            Assert.Null(StructureEquality.Difference(path, back));
        }

        Assert.True(accepted > 100, $"{accepted} accepted");
    }

    /// <summary>Writing back what was read changes nothing, whatever the range.</summary>
    [Fact]
    public void NumericRange_RandomRanges_WriteBackWhatTheyRead()
    {
        var random = new Random(4840);
        var read = 0;
        for (var run = 0; run < Runs; run++)
        {
            var ranges = Enumerable.Range(0, 1 + random.Next(4)).Select(_ => Dimension(random));
            Assert.True(NumericRangeText.TryParse(string.Join(',', ranges), out var range));
            foreach (var value in Values())
            {
                if (range.Apply(value, out var part).IsBad || range.Write(value, part, out var whole).IsBad)
                    continue;
                read++;
                Assert.Equal(value, whole);
            }
        }

        Assert.True(read > 100, $"{read} read");
    }

    private static string Dimension(Random random)
    {
        var low = random.Next(4);
        return random.Next(2) == 0 ? $"{low}" : $"{low}:{low + 1 + random.Next(3)}";
    }

    private static IEnumerable<Variant> Values()
    {
        yield return new Variant("a水\U0001F600b");
        yield return Variant.FromByteString([1, 2, 3]);
        yield return Variant.FromArray(BuiltInType.Int32, new[] { 1, 2, 3, 4 });
        yield return Variant.FromArray(BuiltInType.String, new[] { "abc", "水水水", "\U0001F600de", "fgh" });
        yield return Variant.FromMatrix(BuiltInType.Int32, new Matrix(Enumerable.Range(0, 12).ToArray(), [3, 4]));
        yield return Variant.FromMatrix(BuiltInType.Double, new Matrix(new double[24], [2, 3, 4]));
        yield return Variant.FromMatrix(BuiltInType.Int32, new Matrix(Array.Empty<int>(), [0, 4]));
        yield return Variant.FromArray(BuiltInType.Variant, new Variant[] { new(1), default });
        yield return default;
    }

    private static IEnumerable<string> Texts()
    {
        var random = new Random(4840);
        for (var run = 0; run < Runs; run++)
        {
            var pieces = Enumerable.Range(0, random.Next(9)).Select(_ => Pieces[random.Next(Pieces.Length)]);
            yield return string.Concat(pieces);
        }
    }
}
