using Gateway.Rest.Nodes;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;

namespace Gateway.Rest.Tests.Nodes;

public sealed class NodePathTests
{
    [Theory]
    [InlineData("/api/v1/nodes/ns=2;s=x", "ns=2;s=x", false)]
    [InlineData("/API/v1/Nodes/ns=2;s=X", "ns=2;s=X", false)]
    [InlineData("/api/v1/nodes/ns=2;s=x?fields=node", "ns=2;s=x", false)]
    [InlineData("/api/v1/nodes/ns=2;s=x/children?limit=1", "ns=2;s=x", true)]
    [InlineData("/api/v1/nodes/ns=2;s=x%2Fchildren", "ns=2;s=x/children", false)]
    [InlineData("/api/v1/nodes/ns=2;s=x%2Fchildren/children", "ns=2;s=x/children", true)]
    [InlineData("/api/v1/nodes/%2FObjects%2F2%3APlant", "/Objects/2:Plant", false)]
    [InlineData("/api/v1/nodes//Objects/2:Plant", "/Objects/2:Plant", false)]
    [InlineData("http://gateway:8080/api/v1/nodes/i=85", "i=85", false)]
    [InlineData("/api/v1/nodes/s=%C3%BC", "s=ü", false)]
    [InlineData("/api/v1/nodes/s=%2541", "s=%41", false)]
    [InlineData("/api/v1/nodes/s=%C3", null, false)]
    [InlineData("/api/v1/nodes/s=%4", null, false)]
    [InlineData("/api/v1/nodes/s=%", null, false)]
    [InlineData("/api/v1/nodes/s=%zz", null, false)]
    [InlineData("/api/v1/n%6Fdes/i=85", null, false)]
    public void Read_TargetAsItWasSent_IsDecodedOnce(string target, string? id, bool isOfChildren)
    {
        var context = new DefaultHttpContext();
        context.Features.Get<IHttpRequestFeature>()!.RawTarget = target;

        Assert.Equal(id, NodePath.Read(context, out var ofChildren));
        Assert.Equal(isOfChildren, ofChildren);
    }
}
