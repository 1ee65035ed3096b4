using Gateway.Transport.Hosting;

namespace Gateway.Client.Tests.Sessions;

public sealed class ClientOptionsTests
{
    /// <summary>A server that is told more than the transport takes would have its channel ended by its answer.
    /// </summary>
    [Fact]
    public void MaxMessageSizeBytes_TransportTakesLess_IsTheTransports()
    {
        using var transport = TransportContext.Standalone(
            new TransportLimits { MaxMessageSizeBytes = 1024 * 1024 }, TimeProvider.System);

        Assert.Equal(1024 * 1024, new ClientOptions { TransportContext = transport }.MaxMessageSizeBytes);
        Assert.Equal(new TransportLimits().MaxMessageSizeBytes, new ClientOptions().MaxMessageSizeBytes);
    }
}
