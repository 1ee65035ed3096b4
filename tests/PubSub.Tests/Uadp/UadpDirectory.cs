using Gateway.Codec.Structures;
using Gateway.PubSub.Messages;
using Gateway.PubSub.Uadp;
using Gateway.PubSub.Uadp.Reading;

namespace Gateway.PubSub.Tests.Uadp;

/// <summary>Knows the writers of a test.</summary>
internal sealed class UadpDirectory(params WriterDescription[] writers) : IUadpDirectory
{
    public UadpSlot[] Slots { get; set; } = [];

    public DataSetMetaDataType? FindMetaData(
        in UadpPublisherId? publisher, ushort writerGroupId, ushort dataSetWriterId) =>
        writers.FirstOrDefault(writer => writer.DataSetWriterId == dataSetWriterId)?.MetaData;

    public ReadOnlySpan<UadpSlot> FindSlots(
        in UadpPublisherId? publisher, ushort writerGroupId, ushort networkMessageNumber) => Slots;
}
