using Gateway.Rest.Routing;
using Microsoft.AspNetCore.Http;

namespace Gateway.Rest.Upstreams;

/// <summary><c>POST /upstreams/test</c>. Thread-safe.</summary>
internal sealed class UpstreamTestEndpoint(IUpstreamTests tests, ConnectionTrials trials)
{
    private const string Expected =
        "expected an object with the texts endpointUrl and, if wanted, securityPolicy, securityMode, user, password";

    public IEnumerable<RestRoute> Routes =>
        [new("POST", "/upstreams/test", PostAsync) { Operations = [UpstreamTestApi.Post] }];

    private Task PostAsync(HttpContext context) => trials.RunAsync(context, Read, "endpointUrl", Expected);

    private ConnectionTrial Read(Func<string, string> text)
    {
        var request = new UpstreamTestRequest(
            text("endpointUrl"), text("securityPolicy"), text("securityMode"), text("user"), text("password"));
        return new ConnectionTrial(
            request.EndpointUrl, tests.Check(request), cancellation => tests.TryAsync(request, cancellation));
    }
}
