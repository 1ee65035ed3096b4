using Gateway.Rest.Sockets;
using Microsoft.AspNetCore.Http;

namespace Gateway.Rest.Tests.Sockets;

public sealed class WebOriginsTests
{
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
