using System.Runtime.CompilerServices;
using System.Text;
using System.Text.Json;
using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Items;
using Gateway.Publish.Streams;
using Gateway.Rest.Answers;
using Gateway.Rest.Events;
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

    /// <summary>Texts without their locale, a status by its name; a null field is absent.</summary>
    [Fact]
    public void TextOf_EventOfManyStreams_EncodedOnceWithTheFieldsThatItHas()
    {
        var encoded = Make(new RestLimits());
        var value = _values.Make(new DataValue(Variant.FromArray(BuiltInType.Variant, new[]
        {
            new Variant(new NodeId(2130)), new Variant(new LocalizedText("off", "en")), Variant.Null,
            new Variant(new StatusCode(StatusCodes.BadTimeout)), new Variant((ushort)650),
        })));
        var form = new EventForm(
            new EventFilter(), Array.ConvertAll(
                new[] { "message", "active", "quality", "severity" }, static name => JsonEncodedText.Encode(name)),
            "", hasAlarms: false);
        // Guarded, and of a condition: bits that are no status.
        var change = Of(value) with { Kind = NotificationKind.Event, Bits = (NotificationBits)3 };

        var text = encoded.TextOf(change, form);

        Assert.Equal("""{"message":"off","quality":"BadTimeout","severity":650}""", Encoding.UTF8.GetString(text));
        Assert.Same(text, encoded.TextOf(change with { Handle = 2 }, form));
        Assert.Equal(1, encoded.Encoded);
        Assert.Equal(EventSign.None, EventForm.SignOf(value));
        value.Release();
    }

    [Theory]
    [InlineData(2787, (int)EventSign.RefreshStart)]
    [InlineData(2788, (int)EventSign.RefreshEnd)]
    [InlineData(2789, (int)EventSign.RefreshRequired)]
    [InlineData(3035, (int)EventSign.Lost)]
    [InlineData(2041, (int)EventSign.None)]
    public void SignOf_EventsAboutTheStream_AreTold(uint type, int sign)
    {
        var value = _values.Make(new DataValue(Variant.FromArray(
            BuiltInType.Variant, new[] { new Variant(new NodeId(type)), Variant.Null })));
        Assert.Equal((EventSign)sign, EventForm.SignOf(value));
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
        var small = _values.Make(new DataValue(new Variant(7)));
        var large = _values.Make(new DataValue(new Variant(new string('x', 20_000))));
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
