using BenchmarkDotNet.Attributes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.Messages;
using Gateway.PubSub.Uadp;
using Gateway.PubSub.Uadp.Security;

namespace Gateway.Microbenchmarks.PubSub;

/// <summary>A key frame of a hundred Doubles becomes a NetworkMessage; the time is that of one value.</summary>
[MemoryDiagnoser]
public class UadpWriterBenchmarks : ISecurityKeySource, IDisposable
{
    private const int FieldCount = 100;

    private readonly FrameField[] _fields = new FrameField[FieldCount];
    private UadpNetworkMessageWriter _writer = null!;
    private WriterDescription _description = null!;

    [Params(DataSetFieldContentMask.None, DataSetFieldContentMask.RawData, DataSetFieldContentMask.StatusCode |
        DataSetFieldContentMask.SourceTimestamp)]
    public DataSetFieldContentMask Fields { get; set; }

    [Params(MessageSecurityMode.None, MessageSecurityMode.SignAndEncrypt)]
    public MessageSecurityMode Security { get; set; }

    public SecurityKeySet Current { get; } = new(
        PubSubSecurityPolicy.Aes256Ctr,
        [new SecurityKey(PubSubSecurityPolicy.Aes256Ctr, 1, new byte[PubSubSecurityPolicy.Aes256Ctr.KeyDataBytes])]);

    [GlobalSetup]
    public void SetUp()
    {
        var store = new ValueStore(TimeProvider.System);
        var metaData = new FieldMetaData[FieldCount];
        for (var i = 0; i < FieldCount; i++)
        {
            metaData[i] = new FieldMetaData { BuiltInType = (byte)BuiltInType.Double, ValueRank = -1 };
            _fields[i] = new FrameField(i, store.Make(new DataValue(new Variant(i * 1.5))), default);
        }

        _description = new WriterDescription
        {
            Name = "Writer",
            DataSetWriterId = 1,
            FieldContentMask = Fields,
            UadpMask = UadpLayout.Dynamic.DataSetMask,
            MetaData = new DataSetMetaDataType { Fields = metaData },
        };
        var group = new GroupDescription
        {
            PublisherId = "1",
            Name = "Group",
            WriterGroupId = 1,
            UadpMask = UadpLayout.Dynamic.NetworkMask,
        };
        var sealer = Security == MessageSecurityMode.None
            ? null
            : new UadpSealer(
                Security, this, new UadpNonces(new NonceFile(Path.GetTempFileName() + ".nonces"), TimeProvider.System),
                TimeProvider.System);
        _writer = new UadpNetworkMessageWriter(
            group, new UadpWriterOptions { PublisherId = UadpPublisherId.Of(1UL) }, sealer);
    }

    [Benchmark(OperationsPerInvoke = FieldCount)]
    public int WriteKeyFrame()
    {
        _writer.Begin(default, default);
        _writer.TryAdd(new DataSetFrame
        {
            Writer = _description,
            Kind = FrameKind.KeyFrame,
            SequenceNumber = 1,
            Timestamp = default,
            Fields = _fields,
        });
        return _writer.End().Length;
    }

    [GlobalCleanup]
    public void Dispose()
    {
        _writer?.Dispose();
        GC.SuppressFinalize(this);
    }
}
