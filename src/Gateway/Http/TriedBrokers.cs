using Gateway.PubSub.Options;
using Gateway.PubSub.Trials;
using Gateway.Rest.Upstreams;
using Gateway.Transport.Hosting;

namespace Gateway.Host.Http;

/// <inheritdoc cref="IBrokerTests"/>
internal sealed class TriedBrokers(TransportContext transport, TimeProvider time) : IBrokerTests
{
    public IReadOnlyList<string> Check(BrokerTestRequest request) => BrokerTrial.Check(OptionsOf(request));

    public async Task<IReadOnlyList<UpstreamTestStep>> TryAsync(
        BrokerTestRequest request, CancellationToken cancellation)
    {
        var steps = await BrokerTrial.TryAsync(OptionsOf(request), transport.DialAsync, time, cancellation)
            .ConfigureAwait(false);
        return
        [
            .. steps.Select(static one => new UpstreamTestStep(one.Step, one.State, one.Words, one.Remedy, one.Took)),
        ];
    }

    private static ConnectionOptions OptionsOf(BrokerTestRequest request)
    {
        var options = new ConnectionOptions
        {
            Name = "test",
            Address = request.Address,
            User = request.User,
            Password = request.Password,
            CaPath = request.CaPath,
            CertificatePath = request.CertificatePath,
            KeyPath = request.KeyPath,
        };
        return request.MqttVersion.Length == 0 ? options : options with { MqttVersion = request.MqttVersion };
    }
}
