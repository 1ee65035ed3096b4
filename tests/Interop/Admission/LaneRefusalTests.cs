using System.Text.Json;
using Gateway.Interop.BadInput;

namespace Gateway.Interop.Admission;

/// <summary>More OPN at once than the private-key lane has room for: who finds none is told when to come back, and the
/// operator who it was.</summary>
public sealed class LaneRefusalTests(LaneRefusalTests.Fixture fixture) : IClassFixture<LaneRefusalTests.Fixture>
{
    private const int Openings = 120;
    private static readonly HttpClient Http = new();

    [Fact]
    public async Task Open_LaneFull_ErrWithHintAndADecisionForTheOperator()
    {
        AdmissionGateway gateway = fixture.Gateway;
        RecordedOpening opening = await RecordedOpening.RecordAsync(gateway.Good, gateway.Process.EndpointUrl);
        List<RawPeer> peers = [];
        for (int i = 0; i < Openings; i++)
            peers.Add(await opening.ConnectAsync(gateway.Process.Port, AdmissionGateway.AbuserAddress));
        await Task.WhenAll(peers.Select(peer => peer.SendAsync(opening.Bytes)));

        int opened = 0;
        foreach (RawPeer peer in peers)
        {
            byte[]? answer = await peer.ReceiveAsync();
            if (RawPeer.Type(answer) == "OPNF")
                opened++;
            else
                await Refused.AssertErrAsync(peer, answer);
        }

        Assert.InRange(opened, 1, Openings - 1);
        await fixture.AssertShedAsync("open", "queue_full", 1);
        await gateway.AssertServesInTheEndAsync();
        string decisions = await Http.GetStringAsync(
            new Uri($"http://127.0.0.1:{gateway.Process.HttpPort}/api/v1/admission/decisions"));
        using JsonDocument document = JsonDocument.Parse(decisions);
        Assert.Contains($"\"{AdmissionGateway.AbuserAddress}", decisions, StringComparison.Ordinal);
        Assert.Contains("queue_full", decisions, StringComparison.Ordinal);
        peers.ForEach(peer => peer.Dispose());
    }

    public sealed class Fixture() : TightGateway(
        "--Limits:PrivateKeyWorkers=1", "--Limits:MaxPrivateKeyQueueLength=2", "--Limits:OpenDeadline=00:05:00");
}
