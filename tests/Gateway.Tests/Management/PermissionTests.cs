using System.Net;
using Gateway.Tests.Rest;

namespace Gateway.Tests.Management;

/// <summary>Each path about the gateway itself, asked by a user of each role (docs/access.md).</summary>
[Collection(RestFixture.Name)]
public sealed class PermissionTests(RestFixture fixture)
{
    private const string Nobody = "00000000-0000-0000-0000-000000000000";
    private const string Thumbprint = "0123456789ABCDEF0123456789ABCDEF01234567";

    private readonly RestGateway _gateway = fixture.Gateway;

    /// <summary>Method, path, the status for Observer, Operator, Engineer, SecurityAdmin. 404: may, but there is none.
    /// </summary>
    public static TheoryData<string, string, int[]> Matrix => new()
    {
        { "GET", "/info", [200, 200, 200, 200] },
        { "GET", "/limits", [200, 200, 200, 200] },
        { "GET", "/health", [200, 200, 200, 200] },
        { "GET", "/pubsub", [200, 200, 200, 200] },
        { "GET", "/me", [200, 200, 200, 200] },
        { "GET", "/overview", [200, 200, 200, 200] },
        { "GET", "/notices", [200, 200, 200, 200] },
        { "GET", "/alarms", [200, 200, 200, 200] },
        { "GET", "/admission/what-if?limit=MaxSessions&value=20000", [200, 200, 200, 200] },
        { "GET", "/admission/what-if?limit=MaxFun&value=20000", [400, 400, 400, 400] },
        { "GET", "/admission/what-if?limit=MaxSessions&value=many", [400, 400, 400, 400] },
        { "GET", "/trace?node=ns=2;s=Int16", [200, 200, 200, 200] },
        { "GET", "/upstreams", [200, 200, 200, 200] },
        { "GET", "/sessions", [200, 200, 200, 200] },
        { "GET", "/clients?by=address", [200, 200, 200, 200] },
        { "GET", "/clients?by=application", [200, 200, 200, 200] },
        { "GET", "/clients?by=user", [403, 403, 403, 200] },
        { "GET", "/clients?by=certificate", [403, 403, 403, 200] },
        { "GET", "/clients", [400, 400, 400, 400] },
        { "GET", "/sessions/" + Nobody, [404, 404, 404, 404] },
        { "GET", "/connections", [200, 200, 200, 200] },
        { "GET", "/connections/tcp-9999-9999", [404, 404, 404, 404] },
        { "GET", "/subscriptions", [200, 200, 200, 200] },
        { "GET", "/subscriptions/4000000000", [404, 404, 404, 404] },
        { "GET", "/config", [403, 403, 200, 200] },
        { "POST", "/config/check", [403, 403, 415, 403] },
        { "POST", "/upstreams/Nobody/drift/accept", [403, 403, 404, 403] },
        { "DELETE", "/sessions/" + Nobody, [403, 403, 404, 404] },
        { "DELETE", "/connections/tcp-9999-9999", [403, 403, 404, 404] },
        { "DELETE", "/connections/http-9999-9999", [403, 403, 404, 404] },
        { "GET", "/certificates", [403, 403, 403, 200] },
        { "GET", "/certificates/" + Thumbprint, [403, 403, 403, 404] },
        { "POST", $"/certificates/{Thumbprint}/trust", [403, 403, 403, 404] },
        { "POST", $"/certificates/{Thumbprint}/reject", [403, 403, 403, 404] },
        { "DELETE", "/certificates/" + Thumbprint, [403, 403, 403, 404] },
        { "GET", $"/certificates/{Thumbprint}/file", [403, 403, 403, 404] },
        { "POST", $"/certificates/{Thumbprint}/trust-issuer", [403, 403, 403, 404] },
        { "GET", "/revocation-lists", [403, 403, 403, 200] },
        { "DELETE", "/revocation-lists/" + Thumbprint, [403, 403, 403, 404] },
        { "POST", "/own-certificate/request", [403, 403, 403, 200] },
    };

    [Theory]
    [MemberData(nameof(Matrix))]
    public async Task Path_EachRole_AsTheTableSays(string method, string path, int[] expected)
    {
        HttpClient[] users = [_gateway.Observer, _gateway.Operator, _gateway.Engineer, _gateway.SecurityAdmin];

        var found = new List<int>();
        foreach (var user in users)
        {
            using var request = new HttpRequestMessage(new HttpMethod(method), "/api/v1" + path);
            using var answer = await user.SendAsync(request);
            found.Add((int)answer.StatusCode);
            if (answer.StatusCode is HttpStatusCode.Forbidden or HttpStatusCode.NotFound)
                Assert.Equal("application/problem+json", answer.Content.Headers.ContentType?.MediaType);
        }

        Assert.Equal(expected, found);
    }

    /// <summary>Without a login, through a proxy: demo mode does not help.</summary>
    [Theory]
    [MemberData(nameof(Matrix))]
    public async Task Path_NoUser_Unauthorized(string method, string path, int[] expected)
    {
        using var request = new HttpRequestMessage(new HttpMethod(method), "/api/v1" + path);
        request.Headers.Add("X-Forwarded-For", "10.0.0.1");
        using var answer = await _gateway.Host.Client.SendAsync(request);

        Assert.Equal(HttpStatusCode.Unauthorized, answer.StatusCode);
        Assert.Equal(4, expected.Length);
    }

    /// <summary>A browser adds the user's password to what a page of another site asks for.</summary>
    [Theory]
    [InlineData("Origin", "https://elsewhere.example", 403)]
    [InlineData("Origin", "null", 403)]
    [InlineData("Sec-Fetch-Site", "cross-site", 403)]
    [InlineData("Sec-Fetch-Site", "same-site", 403)]
    [InlineData("Sec-Fetch-Site", "same-origin", 404)]
    [InlineData("Sec-Fetch-Site", "none", 404)]
    public async Task Change_AskedForByAPage_OnlyByOneOfOurs(string header, string value, int expected)
    {
        using var request = new HttpRequestMessage(HttpMethod.Post, $"/api/v1/certificates/{Thumbprint}/trust");
        request.Headers.Add(header, value);
        using var answer = await _gateway.SecurityAdmin.SendAsync(request);

        Assert.Equal(expected, (int)answer.StatusCode);
    }

    /// <summary>The user and the certificate behind a session are the SecurityAdmin's to see, as over UA-TCP.</summary>
    [Theory]
    [InlineData("/api/v1/sessions?fields=id,user,certificate")]
    [InlineData("/api/v1/subscriptions?fields=id,user,certificate")]
    public async Task Identities_EachRole_SecurityAdminOnly(string path)
    {
        var session = await Services.ServiceSession.OpenAsync(_gateway.Operator);
        await session.SubscribeAsync("ns=2;s=ReadOnly", 1000);

        var found = path + "&q=operator";
        foreach (var user in new[] { _gateway.Observer, _gateway.Operator, _gateway.Engineer })
        {
            Assert.DoesNotContain("operator", await user.GetStringAsync(path), StringComparison.Ordinal);
            // Nor does a search tell that he is there.
            Assert.EndsWith("\"found\":0}", await user.GetStringAsync(found), StringComparison.Ordinal);
        }

        Assert.Contains("operator", await _gateway.SecurityAdmin.GetStringAsync(path), StringComparison.Ordinal);
        Assert.Contains("operator", await _gateway.SecurityAdmin.GetStringAsync(found), StringComparison.Ordinal);
        await session.CallAsync("closesession", "\"DeleteSubscriptions\":true");
    }
}
