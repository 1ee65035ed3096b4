using Gateway.Rest.Routing;
using Microsoft.AspNetCore.Http;

namespace Gateway.Rest.Upstreams;

/// <summary><c>POST /pubsub/test</c>. Thread-safe.</summary>
internal sealed class BrokerTestEndpoint(IBrokerTests tests, ConnectionTrials trials)
{
    private const string Expected =
        "expected an object with the texts address and, if wanted, user, password, mqttVersion, caPath, "
        + "certificatePath, keyPath";

    public IEnumerable<RestRoute> Routes =>
        [new("POST", "/pubsub/test", PostAsync) { Operations = [BrokerTestApi.Post] }];

    private Task PostAsync(HttpContext context) => trials.RunAsync(context, Read, "address", Expected);

    private ConnectionTrial Read(Func<string, string> text)
    {
        var request = new BrokerTestRequest(
            text("address"), text("user"), text("password"), text("mqttVersion"), text("caPath"),
            text("certificatePath"), text("keyPath"));
        return new ConnectionTrial(
            request.Address, tests.Check(request), cancellation => tests.TryAsync(request, cancellation));
    }
}
