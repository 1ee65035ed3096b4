using Gateway.Rest.Sockets;
using Microsoft.AspNetCore.Http;

namespace Gateway.Rest.Tests.Sockets;

public sealed class WebOriginsTests
{
    /// <summary>Somebody on the way can make a page of the same host that came without TLS.</summary>
    [Theory]
    [InlineData("http://plant", "plant", false)]
    [InlineData("http://plant:8443", "plant:8443", false)]
    [InlineData("https://plant", "plant", true)]
    [InlineData("https://plant:8443", "plant:8443", true)]
    public void IsAllowed_PageWithoutTls_NotOnATlsConnection(string origin, string host, bool isAllowed)
    {
        var context = new DefaultHttpContext();
        (context.Request.Scheme, context.Request.Host) = ("https", new HostString(host));
        context.Request.Headers.Origin = origin;

        Assert.Equal(isAllowed, new WebOrigins([]).IsAllowed(context.Request));
    }

    [Theory]
    [InlineData(null, "plant:8080", true)]
    [InlineData("http://plant:8080", "plant:8080", true)]
    [InlineData("https://PLANT", "plant", true)]
    [InlineData("https://plant", "plant:443", true)]
    [InlineData("https://hmi.example", "plant", true)]
    [InlineData("https://HMI.example", "plant", true)]
    [InlineData("http://hmi.example", "plant", false)]
    [InlineData("https://hmi.example:444", "plant", false)]
    [InlineData("http://plant:8081", "plant:8080", false)]
    [InlineData("http://plant", "plant:8080", false)]
    [InlineData("null", "plant", false)]
    [InlineData("", "plant", false)]
    [InlineData("file://plant", "plant", false)]
    [InlineData("https://plant.evil.example", "plant", false)]
    public void IsAllowed_Origin_OwnHostOrNamed(string? origin, string host, bool isAllowed)
    {
        var context = new DefaultHttpContext();
        context.Request.Host = new HostString(host);
        if (origin is not null)
            context.Request.Headers.Origin = origin;

        Assert.Equal(isAllowed, new WebOrigins(["https://hmi.example/"]).IsAllowed(context.Request));
    }
}
