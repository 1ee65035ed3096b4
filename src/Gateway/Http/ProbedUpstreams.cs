using Gateway.Rest.Upstreams;
using Gateway.Sources.OpcUa;
using Gateway.Sources.OpcUa.Probing;

namespace Gateway.Host.Http;

/// <inheritdoc cref="IUpstreamTests"/>
internal sealed class ProbedUpstreams(UpstreamProbe probe) : IUpstreamTests
{
    private const string Scheme = "opc.tcp://";

    public IReadOnlyList<string> Check(UpstreamTestRequest request) =>
        request.EndpointUrl.StartsWith(Scheme, StringComparison.OrdinalIgnoreCase)
            ? [.. OptionsOf(request).Validate("upstream")]
            : ["endpointUrl: expected opc.tcp://host:port"];

    public async Task<IReadOnlyList<UpstreamTestStep>> TryAsync(
        UpstreamTestRequest request, CancellationToken cancellation)
    {
        var steps = await probe.TryAsync(OptionsOf(request), cancellation).ConfigureAwait(false);
        return
        [
            .. steps.Select(static one => new UpstreamTestStep(one.Step, one.State, one.Words, one.Remedy, one.Took)),
        ];
    }

    private static UpstreamOptions OptionsOf(UpstreamTestRequest request) => new()
    {
        Name = "test",
        EndpointUrl = request.EndpointUrl,
        SecurityPolicy = request.SecurityPolicy,
        SecurityMode = request.SecurityMode,
        User = request.User,
        Password = request.Password,
    };
}
