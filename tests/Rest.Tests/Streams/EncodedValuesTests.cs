using System.Runtime.CompilerServices;
using System.Text;
using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Types;
using Gateway.Publish.Items;
using Gateway.Publish.Streams;
using Gateway.Rest.Answers;
using Gateway.Rest.Streams;

namespace Gateway.Rest.Tests.Streams;

public sealed class EncodedValuesTests
{
    private readonly ValueStore _values = new(TimeProvider.System);

    [Fact]
    public void TextOf_ValueThatManyWatch_EncodedOnce()
    {
        var encoded = Make(new RestLimits());
        var value = _values.Make(new DataValue(new Variant(7)));

        var texts = Enumerable.Range(0, 1000)
            .Select(viewer => encoded.TextOf(Of(value, handle: (uint)viewer))).ToArray();

        Assert.Equal(1, encoded.Encoded);
        Assert.All(texts, text => Assert.Same(texts[0], text));
        Assert.StartsWith("\"value\":7,\"type\":\"Int32\",\"status\":\"Good\"", Encoding.UTF8.GetString(texts[0]));
        value.Release();
    }

    [Fact]
    public void TextOf_NotificationWithBits_IsItsOwn()
    {
        var encoded = Make(new RestLimits());
        var value = _values.Make(new DataValue(new Variant(7)));
        var plain = encoded.TextOf(Of(value));

        var changed = encoded.TextOf(Of(value) with { Bits = NotificationBits.SemanticsChanged });

        Assert.NotSame(plain, changed);
        Assert.Equal(2, encoded.Encoded);
        Assert.Same(plain, encoded.TextOf(Of(value)));
        value.Release();
    }

    [Fact]
    public void TextOf_ObjectThatHoldsAnotherValueNow_IsOfThatOne()
    {
        var encoded = Make(new RestLimits());
        for (var i = 0; i < 100_000; i++)
        {
            var value = _values.Make(new DataValue(new Variant(i)));
            Assert.StartsWith($"\"value\":{i},", Encoding.UTF8.GetString(encoded.TextOf(Of(value))));
            value.Release();
        }

        // Those that others took the places of are used again: the table does not hold them.
        Assert.True(_values.CreatedValues < 50_000);
    }

    [Fact]
    public void TextOf_MoreThanTheCacheMayHold_TheValuesAreGivenBack()
    {
        var encoded = Make(new RestLimits { MaxHttpStreamCacheBytes = 10_000 });
        for (var i = 0; i < 1000; i++)
        {
            var value = _values.Make(new DataValue(new Variant(i)));
            encoded.TextOf(Of(value));
            value.Release();
            Assert.InRange(encoded.HeldBytes, 1, 10_000);
        }

        encoded.Clear();
        Assert.Equal(0, encoded.HeldBytes);
        Assert.Equal(_values.CreatedValues, _values.IdleValues);
    }

    /// <summary>Two live values do not throw each other out for having the same place.</summary>
    [Fact]
    public void TextOf_TwoValuesOfOnePlace_EachEncodedOnce()
    {
        const int places = 16 * 1024;
        var encoded = Make(new RestLimits());
        var all = new List<SharedValue>();
        var first = new Dictionary<int, SharedValue>();
        SharedValue? one = null;
        while (one is null)
        {
            all.Add(_values.Make(new DataValue(new Variant(all.Count))));
            var place = RuntimeHelpers.GetHashCode(all[^1]) % places;
            if (!first.TryAdd(place, all[^1]))
                one = first[place];
        }

        for (var i = 0; i < 3; i++)
        {
            encoded.TextOf(Of(one));
            encoded.TextOf(Of(all[^1]));
        }

        Assert.Equal(2, encoded.Encoded);
        all.ForEach(static value => value.Release());
    }

    [Fact]
    public void TextOf_OneMoreThanTheCacheMayHold_MostOthersStay()
    {
        var encoded = Make(new RestLimits { MaxHttpStreamCacheBytes = 10_000 });
        var all = new List<SharedValue>();
        // The one that no longer fits.
        for (var before = -1L; encoded.HeldBytes > before;)
        {
            before = encoded.HeldBytes;
            all.Add(_values.Make(new DataValue(new Variant(1000 + all.Count))));
            encoded.TextOf(Of(all[^1]));
        }

        var count = encoded.Encoded;
        encoded.TextOf(Of(all[^1]));

        Assert.Equal(count, encoded.Encoded);
        Assert.InRange(encoded.HeldBytes, 9_000, 10_000);
        all.ForEach(static value => value.Release());
    }

    [Fact]
    public void TextOf_ValueLargerThanTheCache_TheOthersStay()
    {
        var encoded = Make(new RestLimits { MaxHttpStreamCacheBytes = 10_000 });
        var (small, large) = (
            _values.Make(new DataValue(new Variant(7))), _values.Make(new DataValue(new Variant(new string('x', 20_000)))));
        var text = encoded.TextOf(Of(small));

        encoded.TextOf(Of(large));

        Assert.Same(text, encoded.TextOf(Of(small)));
        small.Release();
        large.Release();
    }

    /// <summary>A text by definitions that have changed since is not sent.</summary>
    [Fact]
    public void TextOf_DataTypesChanged_IsEncodedAgain()
    {
        var nodes = new NodeTable();
        var encoded = Make(nodes, new RestLimits());
        var value = _values.Make(new DataValue(new Variant(1)));
        encoded.TextOf(Of(value));
        encoded.TextOf(Of(value));
        Assert.Equal(1, encoded.Encoded);

        nodes.Apply(new NodeBatch().AddNode(new NodeDefinition
        {
            NodeId = new NodeId(1u),
            NodeClass = Gateway.Codec.Structures.NodeClass.DataType,
            BrowseName = new QualifiedName("T"),
        }));

        encoded.TextOf(Of(value));
        Assert.Equal(2, encoded.Encoded);
        value.Release();
        encoded.Clear();
    }

    private static EncodedValues Make(RestLimits limits) => Make(new NodeTable(), limits);

    private static EncodedValues Make(NodeTable nodes, RestLimits limits) =>
        new(new RestFormat(nodes, new TableStructures(nodes)), limits);

    private static StreamChange Of(SharedValue value, uint handle = 0) =>
        new(handle, value, NotificationBits.None, NotificationKind.DataChange);
}
