using System.Net;
using System.Text;
using System.Text.Json;
using Gateway.Interop.Scripts;
using Microsoft.Playwright;

namespace Gateway.Interop.OperatorConsole;

/// <summary>Each role: the buttons that it is shown, and what the API does for its scripts: the same.</summary>
[Collection(nameof(PlantCollection))]
public sealed class RoleTests(PlantFixture fixture)
{
    private const string Value = "ns=2;s=Int16";

    [PeerTheory(PeerProgram.ConsoleOnPlant)]
    [InlineData("Observer", false, false)]
    [InlineData("Operator", true, false)]
    [InlineData("Engineer", true, true)]
    [InlineData("SecurityAdmin", false, false)]
    public async Task Role_OnThePagesAndByTheApi_MayTheSame(string user, bool mayWrite, bool mayConfigure)
    {
        IPage page = await fixture.OpenAsync(user, PlantFixture.Path("/nodes", Value));
        await page.Locator(".current .value").WaitForAsync();
        int shown = await page.GetByRole(AriaRole.Button, new() { Name = "Write …" }).CountAsync();
        Assert.Equal(mayWrite ? 1 : 0, shown);
        await page.GetByRole(AriaRole.Link, new() { Name = "Upstreams, PubSub" }).ClickAsync();
        await page.GetByRole(AriaRole.Tab, new() { Name = "PubSub" }).WaitForAsync();
        // Of an upstream and of a broker.
        Assert.Equal(mayConfigure ? 2 : 0, await page.GetByRole(AriaRole.Tab, new() { Name = "Test" }).CountAsync());
        await page.GetByRole(AriaRole.Link, new() { Name = "Configuration" }).ClickAsync();
        await page.GetByRole(AriaRole.Tab, new() { Name = "Limits" }).WaitForAsync();
        Assert.Equal(mayConfigure ? 1 : 0, await page.GetByRole(AriaRole.Tab, new() { Name = "Change" }).CountAsync());
        using HttpClient http = fixture.Api(user);

        Assert.Equal(mayWrite, await IsWrittenAsync(http));
        Assert.Equal(mayWrite, await IsCalledAsync(http));
        Assert.Equal(mayConfigure, await IsAllowedAsync(http, "/upstreams/test", """{"endpointUrl":"http://x"}"""));
        Assert.Equal(mayConfigure, await IsAllowedAsync(http, "/pubsub/test", """{"address":"http://x"}"""));
        Assert.Equal(mayConfigure, await IsAllowedAsync(http, "/config/check", "no json"));
        Assert.Equal(mayConfigure, await IsAllowedAsync(http, "/config/reload", ""));
        await page.Context.CloseAsync();
    }

    /// <summary>It may have failed, but it was not refused for the user's roles.</summary>
    private static async Task<bool> IsAllowedAsync(HttpClient http, string path, string body)
    {
        using HttpResponseMessage answer = await SendAsync(http, HttpMethod.Post, path, body);
        return answer.StatusCode != HttpStatusCode.Forbidden;
    }

    private static async Task<bool> IsWrittenAsync(HttpClient http)
    {
        using HttpResponseMessage answer = await SendAsync(
            http, HttpMethod.Put, "/values", $$"""{"values":[{"node":"{{Value}}","value":7}]}""");
        using JsonDocument json = JsonDocument.Parse(await answer.Content.ReadAsStringAsync());
        return json.RootElement.GetProperty("results")[0].GetProperty("status").GetString() == "Good";
    }

    private static async Task<bool> IsCalledAsync(HttpClient http)
    {
        using HttpResponseMessage answer = await SendAsync(
            http, HttpMethod.Post, "/call", """{"object":"ns=2;s=Methods","method":"ns=2;s=Add","inputs":[2,3]}""");
        string text = await answer.Content.ReadAsStringAsync();
        return answer.IsSuccessStatusCode && text.Contains("\"Good\"", StringComparison.Ordinal);
    }

    private static Task<HttpResponseMessage> SendAsync(HttpClient http, HttpMethod method, string path, string body) =>
        http.SendAsync(new HttpRequestMessage(method, new Uri("/api/v1" + path, UriKind.Relative))
        {
            Content = new StringContent(body, Encoding.UTF8, "application/json"),
        });
}
