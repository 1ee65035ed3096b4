using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Tests.Samples;
using Gateway.Codec.Types;

namespace Gateway.Codec.Tests.Binary;

/// <summary>R02, R04: what a message makes of few bytes is charged before it is made, in every array that is declared.
/// </summary>
public sealed class DecodeBudgetTests
{
    private const int Elements = 20_000;
    private const long SmallBudget = 16 * 1024;

    /// <summary>The array's first elements, and one fault.</summary>
    private const long AllowedBytes = 64 * 1024;

    private static readonly DecodingLimits Small = new() { MaxDecodedBytes = SmallBudget };

    public static TheoryData<string, string> ArrayFields
    {
        get
        {
            var fields = new TheoryData<string, string>();
            foreach (var type in SampleStructures.Types)
            {
                foreach (var property in SampleStructures.Fields(type))
                {
                    if (property.PropertyType.IsArray)
                        fields.Add(type.Name, property.Name);
                }
            }

            return fields;
        }
    }

    public static TheoryData<BuiltInType> ElementTypes => [.. Enum.GetValues<BuiltInType>()
        .Where(type => type != BuiltInType.Null)];

    [Theory]
    [MemberData(nameof(ArrayFields))]
    public void Decode_LongArrayOverTheBudget_IsRefusedBeforeItIsMade(string name, string field)
    {
        var bytes = WithLongArray(name, field);
        var decode = DecoderOf(name);
        var wide = new UaBinaryReader(bytes);
        decode(ref wide);
        Assert.Equal(StatusCode.Good, wide.Status);

        var before = GC.GetAllocatedBytesForCurrentThread();
        var reader = new UaBinaryReader(bytes, Small);
        decode(ref reader);
        var allocated = GC.GetAllocatedBytesForCurrentThread() - before;

        Assert.Equal(StatusCodes.BadEncodingLimitsExceeded, reader.Status.Code);
        Assert.InRange(allocated, 0, AllowedBytes);
    }

    [Theory]
    [MemberData(nameof(ArrayFields))]
    public void Decode_LongArray_IsChargedAtLeastWhatItTakes(string name, string field)
    {
        var bytes = WithLongArray(name, field);
        var decode = DecoderOf(name);
        AssertCharged(bytes, (ref UaBinaryReader r) => decode(ref r));
    }

    [Theory]
    [MemberData(nameof(ElementTypes))]
    public void ReadVariant_LongArrayOfSmallestElements_IsChargedAtLeastWhatItTakes(BuiltInType type)
    {
        var bytes = Wire.Encode((ref UaBinaryWriter w) => w.WriteVariant(LongArray(type)));
        AssertCharged(bytes, (ref UaBinaryReader r) => r.ReadVariant());
    }

    [Fact]
    public void ReadVariant_BoxedAndNestedElements_AreChargedAtLeastWhatTheyTake()
    {
        Variant[] kinds =
        [
            new(new NodeId(1)), new(new ExpandedNodeId(new NodeId(1))), new(new QualifiedName("")),
            new(new LocalizedText("")), new(Guid.Empty), new(new DataValue(default)), new(""),
            Variant.FromByteString([]), new(new XmlElement("")), new(new DiagnosticInfo { SymbolicId = 1 }),
            Variant.FromStructure(new Codec.Structures.Range()), Variant.FromStructure(new Argument()),
            Variant.FromArray(BuiltInType.Byte, Array.Empty<byte>()),
        ];
        foreach (var kind in kinds)
        {
            var all = new Variant[Elements];
            Array.Fill(all, kind);
            var bytes = Wire.Encode((ref UaBinaryWriter w) =>
                w.WriteVariant(Variant.FromArray(BuiltInType.Variant, all)));
            AssertCharged(bytes, (ref UaBinaryReader r) => r.ReadVariant());
        }
    }

    [Fact]
    public void Read_PastTheSharedBudget_IsRefusedAndGivesBack()
    {
        var bytes = Wire.Encode((ref UaBinaryWriter w) => w.WriteVariant(LongArray(BuiltInType.Variant)));
        var budget = new DecodeBudget(3 * 1024 * 1024);
        var first = DecodeMeter.Rent(budget, null);
        var second = DecodeMeter.Rent(budget, null);
        var third = DecodeMeter.Rent(budget, null);

        Assert.Equal(StatusCode.Good, Read(first));
        Assert.Equal(StatusCode.Good, Read(second));
        Assert.Equal(StatusCode.Good, Read(third));
        Assert.Equal(3 * 1024 * 1024, budget.Bytes);
        var fourth = DecodeMeter.Rent(budget, null);
        Assert.Equal(StatusCodes.BadOutOfMemory, Read(fourth).Code);
        Assert.True(fourth.WasRefused);
        Assert.Equal(1, budget.Refusals);

        first.Return();
        second.Return();
        third.Return();
        fourth.Return();
        Assert.Equal(0, budget.Bytes);
        Assert.Equal(3 * 1024 * 1024, budget.PeakBytes);
        Assert.False(DecodeMeter.Rent(budget, null).WasRefused);

        StatusCode Read(DecodeMeter meter)
        {
            var reader = new UaBinaryReader(bytes, null, meter);
            reader.ReadVariant();
            return reader.Status;
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void TryHold_OneCertificateOrAddress_LeavesTheLastSixthToOthers(bool isAddress)
    {
        const long step = 1024 * 1024;
        var budget = new DecodeBudget(12 * step);
        var greedy = new DecodeHolder();
        var meters = new List<DecodeMeter>();

        // Of ten connections each, one step: the first that is refused is the eleventh.
        Assert.True(Enumerable.Range(0, 10).All(_ => TryTake(Greedy())));
        Assert.False(TryTake(Greedy()));
        Assert.Equal(10 * step, budget.Bytes);
        Assert.Equal(10 * step, greedy.BytesAfter(0));

        var other = new Client(new DecodeHolder(), new DecodeHolder());
        Assert.True(TryTake(other));
        Assert.True(TryTake(other));
        Assert.False(TryTake(other));
        Assert.Equal(12 * step, budget.Bytes);

        meters.ForEach(meter => meter.Return());
        Assert.Equal((0L, 0L), (budget.Bytes, greedy.BytesAfter(0)));
        Assert.True(TryTake(Greedy()));

        Client Greedy() => isAddress ? new(greedy, new DecodeHolder()) : new(new DecodeHolder(), greedy);

        bool TryTake(Client client)
        {
            var meter = DecodeMeter.Rent(budget, client);
            meters.Add(meter);
            return meter.TryHold(DecodeMeter.FreeBytes) && meter.TryHold(1);
        }
    }

    [Fact]
    public void TryHold_LargeValuesThatNoCollectionHasTaken_CountForTheirHolder()
    {
        var holder = new DecodeHolder();
        holder.Add(100, collections: 3);
        holder.Release(100, largeBytes: 80, collections: 3);

        Assert.Equal(80, holder.BytesAfter(3));
        Assert.Equal(80, holder.BytesAfter(4));
        holder.Add(5, collections: 4);
        holder.Release(5, largeBytes: 5, collections: 4);
        Assert.Equal(85, holder.BytesAfter(4));
        Assert.Equal(5, holder.BytesAfter(5));
        Assert.Equal(0, holder.BytesAfter(6));
    }

    [Fact]
    public void TryHold_SmallMessage_DoesNotAskWhoseItIs()
    {
        var meter = DecodeMeter.Rent(new DecodeBudget(0), new Unasked());

        Assert.True(meter.TryHold(DecodeMeter.FreeBytes));
        meter.Return();
    }

    [Fact]
    public void Read_SmallMessage_TouchesNoSharedBudget()
    {
        var budget = new DecodeBudget(0);
        var meter = DecodeMeter.Rent(budget, null);
        var bytes = Wire.Encode(new ReadRequest { NodesToRead = [new ReadValueId { NodeId = new NodeId("a", 1) }] });

        var reader = new UaBinaryReader(bytes, null, meter);
        ReadRequest.Decode(ref reader);

        Assert.Equal(StatusCode.Good, reader.Status);
        Assert.InRange(meter.UsedBytes, 1, 1000);
        Assert.Equal((0L, 0L), (budget.Bytes, budget.Refusals));
        meter.Return();
    }

    [Fact]
    public void MaxOperations_LongerArrayOfTheRequest_IsRefusedBeforeItIsMade()
    {
        var bytes = Wire.Encode(new CreateMonitoredItemsRequest
        {
            ItemsToCreate = new MonitoredItemCreateRequest[101],
        });

        Assert.Equal(StatusCodes.BadTooManyOperations, Decode(100).Code);
        Assert.Equal(StatusCode.Good, Decode(101));
        Assert.Equal(StatusCode.Good, Decode(0));

        StatusCode Decode(int limit)
        {
            var reader = new UaBinaryReader(bytes) { MaxOperations = limit };
            CreateMonitoredItemsRequest.Decode(ref reader);
            return reader.Status;
        }
    }

    [Fact]
    public void MaxOperations_ArraysDeeperInside_DoNotCount()
    {
        var bytes = Wire.Encode(new CallRequest
        {
            MethodsToCall = [new CallMethodRequest { InputArguments = new Variant[50] }],
        });

        var reader = new UaBinaryReader(bytes) { MaxOperations = 1 };
        CallRequest.Decode(ref reader);

        Assert.Equal(StatusCode.Good, reader.Status);
    }

    private sealed class Client(DecodeHolder address, DecodeHolder certificate) : IDecodeClient
    {
        public DecodeHolders DecodeHolders => new(address, certificate);
    }

    private sealed class Unasked : IDecodeClient
    {
        public DecodeHolders DecodeHolders => throw new InvalidOperationException();
    }

    private static void AssertCharged<T>(byte[] bytes, Wire.Read<T> read)
    {
        // Once before: what the first call of a type makes is no part of the message.
        Wire.Decode(bytes, read);
        var before = GC.GetAllocatedBytesForCurrentThread();
        var reader = new UaBinaryReader(bytes);
        read(ref reader);
        var allocated = GC.GetAllocatedBytesForCurrentThread() - before;

        Assert.Equal(StatusCode.Good, reader.Status);
        // A sixth is left behind by growing arrays; the runtime counts in blocks of 8 KiB.
        Assert.InRange(allocated, 0, (reader.DecodedBytes * 7 / 6) + 8192);
    }

    private static byte[] WithLongArray(string name, string field)
    {
        var type = SampleStructures.Types.Single(t => t.Name == name);
        var property = SampleStructures.Fields(type).Single(p => p.Name == field);
        var element = property.PropertyType.GetElementType()!;
        var structure = Activator.CreateInstance(type)!;
        var array = Array.CreateInstance(element, Elements);
        property.SetValue(structure, array);
        return Wire.Encode((IStructure)structure);
    }

    private static StructureEntry.BinaryDecoder DecoderOf(string name) =>
        StructureRegistry.All.Single(entry => entry.Type.Name == name).DecodeBinary;

    private static Variant LongArray(BuiltInType type)
    {
        var one = Wire.Encode((ref UaBinaryWriter w) =>
        {
            w.WriteByte((byte)((byte)type | 0x80));
            w.WriteInt32(0);
        });
        var empty = Wire.Decode(one, (ref UaBinaryReader r) => r.ReadVariant());
        var array = Array.CreateInstance(empty.Elements!.GetType().GetElementType()!, Elements);
        return Variant.FromArray(type, array);
    }
}
