using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.Uadp.Reading;

namespace Gateway.PubSub.Uadp.Discovery;

/// <summary>Payloads of announcements and probes; see <see cref="UadpDiscoveryWriter"/> for their shape.
/// Source: Part 14 §7.2.4.6.</summary>
internal static class UadpDiscoveryReader
{
    public static UadpReadResult ReadAnnouncement(
        ReadOnlySpan<byte> payload, in UadpReceivedHead head, UadpReaderOptions options)
    {
        var reader = new UaBinaryReader(payload, options.Values);
        var type = (UadpAnnouncementType)reader.ReadByte();
        var sequenceNumber = reader.ReadUInt16();
        UadpAnnouncement? announcement = type switch
        {
            UadpAnnouncementType.PublisherEndpoints => new()
            {
                PublisherId = head.PublisherId,
                Type = type,
                SequenceNumber = sequenceNumber,
                Endpoints = reader.ReadStructureArray<EndpointDescription>() ?? [],
                Statuses = [reader.ReadStatusCode()],
            },
            UadpAnnouncementType.DataSetMetaData => new()
            {
                PublisherId = head.PublisherId,
                Type = type,
                SequenceNumber = sequenceNumber,
                DataSetWriterIds = [reader.ReadUInt16()],
                MetaData = reader.ReadStructure<DataSetMetaDataType>(),
                Statuses = [reader.ReadStatusCode()],
            },
            UadpAnnouncementType.DataSetWriterConfiguration => new()
            {
                PublisherId = head.PublisherId,
                Type = type,
                SequenceNumber = sequenceNumber,
                DataSetWriterIds = reader.ReadBlittableArray<ushort>() ?? [],
                Configuration = reader.ReadStructure<WriterGroupDataType>(),
                Statuses = reader.ReadArray<StatusCode>(BuiltInType.StatusCode) ?? [],
            },
            UadpAnnouncementType.Connections => new()
            {
                PublisherId = head.PublisherId,
                Type = type,
                SequenceNumber = sequenceNumber,
                Connections = reader.ReadStructureArray<PubSubConnectionDataType>() ?? [],
            },
            UadpAnnouncementType.Application => ReadApplication(ref reader, head, sequenceNumber),
            _ => null,
        };
        if (reader.Failed)
            return new(ProblemOf(reader.Status));
        if (announcement is null)
            return new(UadpReadProblem.Unsupported);
        return type == UadpAnnouncementType.DataSetWriterConfiguration &&
            announcement.Statuses.Length != announcement.DataSetWriterIds.Length
                ? new(UadpReadProblem.Malformed)
                : new(UadpReadProblem.None, Announcement: announcement);
    }

    private static UadpAnnouncement? ReadApplication(
        ref UaBinaryReader reader, in UadpReceivedHead head, ushort sequenceNumber)
    {
        switch (reader.ReadUInt16())
        {
            case UadpDiscoveryWriter.ApplicationDescription:
                return new UadpAnnouncement
                {
                    PublisherId = head.PublisherId,
                    Type = UadpAnnouncementType.Application,
                    SequenceNumber = sequenceNumber,
                    Application = reader.ReadStructure<ApplicationDescription>(),
                    Capabilities = reader.ReadArray<string?>(BuiltInType.String) ?? [],
                };
            case UadpDiscoveryWriter.ApplicationStatus:
                // A cyclic one has two times behind it.
                reader.ReadBoolean();
                return new UadpAnnouncement
                {
                    PublisherId = head.PublisherId,
                    Type = UadpAnnouncementType.Application,
                    SequenceNumber = sequenceNumber,
                    Status = (PubSubState)reader.ReadInt32(),
                };
            default:
                return null;
        }
    }

    public static UadpReadResult ReadProbe(
        ReadOnlySpan<byte> payload, in UadpReceivedHead head, UadpReaderOptions options)
    {
        var reader = new UaBinaryReader(payload, options.Values);
        var probeType = reader.ReadByte();
        if (!reader.Failed && probeType != UadpDiscoveryWriter.PublisherInformation)
            return new(UadpReadProblem.Unsupported);
        var type = (UadpAnnouncementType)reader.ReadByte();
        ushort[] ids = [];
        if (type is UadpAnnouncementType.DataSetMetaData or UadpAnnouncementType.DataSetWriterConfiguration)
            ids = reader.ReadBlittableArray<ushort>() ?? [];
        if (reader.Failed)
            return new(ProblemOf(reader.Status));
        return type is < UadpAnnouncementType.PublisherEndpoints or > UadpAnnouncementType.DataSetWriterConfiguration
            ? new(UadpReadProblem.Unsupported)
            : new(UadpReadProblem.None, Probe: new UadpProbe(head.PublisherId, type, ids));
    }

    private static UadpReadProblem ProblemOf(StatusCode status) => status == StatusCodes.BadEncodingLimitsExceeded
        ? UadpReadProblem.TooLarge
        : UadpReadProblem.Malformed;
}
