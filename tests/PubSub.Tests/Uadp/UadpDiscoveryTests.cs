using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.Uadp;
using Gateway.PubSub.Uadp.Discovery;
using Gateway.PubSub.Uadp.Reading;
using static Gateway.PubSub.Tests.Uadp.UadpPlant;

namespace Gateway.PubSub.Tests.Uadp;

/// <summary>Announcements and probes.</summary>
public sealed class UadpDiscoveryTests : IDisposable
{
    private readonly UadpDiscoveryWriter _writer = new(new UadpWriterOptions
    {
        PublisherId = UadpPublisherId.Of((ushort)0x0A0B),
        MaxMessageBytes = UadpWriterOptions.Ipv4MessageBytes,
    });

    public void Dispose() => _writer.Dispose();

    /// <summary>
    /// A probe for the metadata of writer 3.
    /// <code>
    /// 91             version 1 | PublisherId 0x10 | ExtendedFlags1 0x80
    /// 91             ExtendedFlags1: UInt16 | Security 0x10 | ExtendedFlags2 0x80
    /// 04             ExtendedFlags2: bits 2 to 4 are 001, a probe
    /// 0B 0A          PublisherId
    /// 00 00000000 00 SecurityHeader: no flags, no token, no nonce
    /// 01             ProbeType: publisher information
    /// 02             InformationType: DataSetMetaData
    /// 01000000 0300  one DataSetWriterId
    /// </code>
    /// </summary>
    [Fact]
    public void Probe_ForMetaData_AsDerived()
    {
        Assert.True(_writer.TryWriteProbe(UadpAnnouncementType.DataSetMetaData, 3));

        Assert.Equal(
            "9191040B0A" + "000000000000" + "0102" + "010000000300", Convert.ToHexString(_writer.Part(0).Span));
        var probe = ReadAll().Probe!;
        Assert.Equal(UadpAnnouncementType.DataSetMetaData, probe.Type);
        Assert.Equal([(ushort)3], probe.DataSetWriterIds);
    }

    [Theory]
    [InlineData(2, 1)]
    [InlineData(200, 2)]
    public void MetaData_OfAnySize_IsWhatWasAnnounced(int fields, int leastParts)
    {
        var metaData = Writer(
            3, default, default, [.. Enumerable.Range(0, fields).Select(_ => MetaOf(BuiltInType.Double))]).MetaData;

        Assert.True(_writer.TryWriteMetaData(3, metaData));
        Assert.InRange(_writer.PartCount, leastParts, 100);
        var announcement = ReadAll().Announcement!;

        Assert.Equal([(ushort)3], announcement.DataSetWriterIds);
        Assert.Equal(fields, announcement.MetaData!.Fields!.Length);
        Assert.Equal(7u, announcement.MetaData.ConfigurationVersion.MajorVersion);
        Assert.Equal(1, _writer.NextSequenceNumber);
    }

    [Fact]
    public void ConfigurationAndEndpoints_AreWhatWasAnnounced()
    {
        var group = new WriterGroupDataType { Name = "G", WriterGroupId = 5, PublishingInterval = 100 };
        Assert.True(_writer.TryWriteConfiguration([3, 4], group, [StatusCode.Good, StatusCodes.BadNotFound]));
        var configuration = ReadAll().Announcement!;
        Assert.True(_writer.TryWriteEndpoints([new EndpointDescription { EndpointUrl = "opc.tcp://a:1" }]));
        var endpoints = ReadAll().Announcement!;

        Assert.Equal([(ushort)3, (ushort)4], configuration.DataSetWriterIds);
        Assert.Equal(StatusCodes.BadNotFound, configuration.Statuses[1].Code);
        Assert.Equal(5, configuration.Configuration!.WriterGroupId);
        Assert.Equal("opc.tcp://a:1", Assert.Single(endpoints.Endpoints).EndpointUrl);
    }

    /// <summary>
    /// The status of a publisher that is operational.
    /// <code>
    /// 91 91 08 0B 0A 00 00000000 00   as above; ExtendedFlags2: bits 2 to 4 are 010, an announcement
    /// 05 0000                         AnnouncementType: application; SequenceNumber
    /// 02 00                           ApplicationInformationType: status
    /// 00 02000000                     IsCyclic: false; Operational
    /// </code>
    /// </summary>
    [Fact]
    public void Status_AsDerived()
    {
        Assert.True(_writer.TryWriteStatus(PubSubState.Operational));

        Assert.Equal(
            "9191080B0A" + "000000000000" + "050000" + "0200" + "0002000000",
            Convert.ToHexString(_writer.Part(0).Span));
        Assert.Equal(PubSubState.Operational, ReadAll().Announcement!.Status);
    }

    [Fact]
    public void ApplicationAndConnections_AreWhatWasAnnounced()
    {
        var description = new ApplicationDescription { ApplicationUri = "urn:a" };
        Assert.True(_writer.TryWriteApplication(description, ["DA", "PUB"]));
        var application = ReadAll().Announcement!;
        Assert.True(_writer.TryWriteConnections(new PubSubConnectionDataType { Name = "C" }));
        var connections = ReadAll().Announcement!;

        Assert.Equal("urn:a", application.Application!.ApplicationUri);
        Assert.Equal("DA PUB", string.Join(" ", application.Capabilities));
        Assert.Null(application.Status);
        Assert.Equal("C", Assert.Single(connections.Connections).Name);
    }

    private UadpReadResult ReadAll()
    {
        using var reader = new UadpNetworkMessageReader(
            new UadpReaderOptions(), new UadpDirectory(), null, TimeProvider.System);
        UadpReadResult result = default;
        for (var i = 0; i < _writer.PartCount; i++)
            result = reader.Read(_writer.Part(i).Span);
        return result;
    }
}
