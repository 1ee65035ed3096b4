using System.Diagnostics;
using Gateway.Client;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Testing;
using Gateway.Tests.Trust;
using Gateway.Transport.Hosting;
using Xunit.Abstractions;

namespace Gateway.Tests.Hosting;

/// <summary>R31 at its full size: a trust list changes under 1,000 open channels.</summary>
public sealed class LiveTrustTests(ITestOutputHelper output) : IDisposable
{
    private const int Channels = 1_000;

    /// <summary>Two of twenty: one loses its file, the other is on the new revocation list.</summary>
    private const int Lost = Channels / 10;

    private readonly PlantPki _pki = new();

    public void Dispose() => _pki.Dispose();

    [Fact]
    public async Task TrustList_LosesAHundredOfAThousand_TheyAreClosedAndTheOthersGoOn()
    {
        var members = _pki.Make(Channels);
        var gone = members.Where((_, number) => number % 20 < 2).ToHashSet();
        await using var application = Composition.Build($"--Pki:Path={_pki.Folder}", "--Simulator:Enabled=false");
        await application.StartAsync();
        using var crowd = new Crowd(application.Get<UaTcpOptions>().EndPoint.Port);
        var sessions = await crowd.OpenAsync(members);
        var handler = application.Get<UaTcpConnectionHandler>();
        Assert.Equal(Channels, handler.ConnectionCount);

        var changed = Stopwatch.GetTimestamp();
        _pki.Withdraw(gone);
        var lost = sessions.Where(one => gone.Contains(one.Key)).Select(one => one.Value).ToArray();
        var reasons = await Task.WhenAll(lost.Select(session => session.Closed)).WaitAsync(Patience.Limit);

        output.WriteLine($"{lost.Length} of {Channels} closed in {Stopwatch.GetElapsedTime(changed)}");
        Assert.Equal(Lost, lost.Length);
        Assert.All(reasons, reason => Assert.Equal(StatusCodes.BadSecurityChecksFailed, reason.Code));
        Assert.Equal(Channels - Lost, await CountAliveAsync(sessions.Values));
        Assert.Equal(Lost, application.Get<TransportContext>().Counters.Closes(ChannelCloseReason.CertificateRejected));
        Assert.Equal(Channels - Lost, handler.ConnectionCount);
    }

    private static async Task<int> CountAliveAsync(IEnumerable<ClientSession> sessions)
    {
        var alive = 0;
        foreach (var session in sessions.Where(one => !one.Closed.IsCompleted))
        {
            var response = await session.InvokeAsync<ReadRequest, ReadResponse>(new ReadRequest
            {
                NodesToRead = [new ReadValueId { NodeId = new NodeId(2256), AttributeId = (uint)AttributeId.Value }],
            });
            Assert.True(response.Results![0].Status.IsGood);
            alive++;
        }

        return alive;
    }
}
