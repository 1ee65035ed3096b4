using System.Net;
using Gateway.Interop.BadInput;
using Gateway.Interop.Scripts;
using Microsoft.Playwright;

namespace Gateway.Interop.OperatorConsole;

/// <summary>Clients that come faster than they may, as the pages show it while it goes on.</summary>
[Collection(nameof(PlantCollection))]
public sealed class StormTests(PlantFixture fixture)
{
    private const string Address = "127.0.0.82";

    [PeerFact(PeerProgram.ConsoleOnPlant)]
    public async Task Storm_WhileItGoesOn_IsSeenWithItsCauseAndItsRemedy()
    {
        IPage admission = await fixture.OpenAsync("Observer", "/admission");
        IPage overview = await fixture.OpenAsync("Observer", "/");
        await admission.GetByText("Calm: nobody waits, nothing is rejected").WaitForAsync();
        using CancellationTokenSource end = new();
        Task storm = BlowAsync(end.Token);

        ILocator now = admission.GetByRole(AriaRole.Region, new() { Name = "Now" });
        await now.GetByText("in the last minute").WaitForAsync();
        ILocator row = admission.GetByRole(AriaRole.Row).Filter(new() { HasText = Address }).First;
        await row.GetByText("This address connects faster than one may").WaitForAsync();
        string cause = await row.InnerTextAsync();
        ILocator stage = admission.GetByRole(AriaRole.Region, new() { Name = "Stages" })
            .GetByRole(AriaRole.Row).Filter(new() { HasText = "Connect" }).First;
        string counted = await stage.InnerTextAsync();
        ILocator notice = overview.GetByRole(AriaRole.Region, new() { Name = "Needs attention" })
            .GetByRole(AriaRole.Listitem).Filter(new() { HasText = "are rejected in a second" });
        await notice.WaitForAsync();
        string attention = await notice.InnerTextAsync();
        await overview.GetByText("in the last hour").WaitForAsync();
        await end.CancelAsync();
        await storm;

        Assert.Contains("What to do:", cause, StringComparison.Ordinal);
        Assert.Contains("MaxConnectionsPerSecondPerAddress", cause, StringComparison.Ordinal);
        Assert.Contains("This address connects faster than one may", counted, StringComparison.Ordinal);
        Assert.Contains("What to do:", attention, StringComparison.Ordinal);
        await admission.Context.CloseAsync();
        await overview.Context.CloseAsync();
    }

    [PeerFact(PeerProgram.ConsoleOnPlant)]
    public async Task WhatIf_AfterAStorm_SaysHowManyWouldHaveComeIn()
    {
        using CancellationTokenSource end = new();
        Task storm = BlowAsync(end.Token);
        IPage page = await fixture.OpenAsync("Observer", "/admission");
        await page.GetByText("This address connects faster than one may").First.WaitForAsync();
        await end.CancelAsync();
        await storm;

        await page.GetByLabel("Limit", new() { Exact = true }).SelectOptionAsync("MaxConnectionsPerSecondPerAddress");
        await page.GetByLabel("Value").FillAsync("100000");
        await page.GetByRole(AriaRole.Button, new() { Name = "Try it" }).ClickAsync();

        ILocator answer = page.GetByRole(AriaRole.Region, new() { Name = "What if" }).GetByRole(AriaRole.Status);
        await answer.GetByText("would have come in").First.WaitForAsync();
        Assert.Matches("[1-9]", await answer.InnerTextAsync());
        await page.Context.CloseAsync();
    }

    /// <summary>Connections of one address, each closed at once, until it is ended.</summary>
    private async Task BlowAsync(CancellationToken end)
    {
        using PeriodicTimer pause = new(TimeSpan.FromMilliseconds(200));
        while (!end.IsCancellationRequested)
        {
            for (int i = 0; i < 6 * PlantFixture.ConnectionsPerSecond; i++)
            {
                using RawPeer peer = await RawPeer.ConnectAsync(fixture.Gateway.Port, IPAddress.Parse(Address));
            }

            await pause.WaitForNextTickAsync(CancellationToken.None);
        }
    }
}
