using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Model;
using Gateway.Server.Tests.Support;

namespace Gateway.Server.Tests.Services;

/// <summary>LocaleIds of ActivateSession. Source: Part 4 §5.4, §5.7.3.2.</summary>
public sealed class LocaleTests : IDisposable
{
    private static readonly NodeId Node = new("Door", 1);

    private readonly ServerFixture _fixture = new();

    public LocaleTests()
    {
        LocalizedText[] names = [new("Tür", "de"), new("Door", "en"), new("Porte", "fr-FR")];
        LocalizedText[] descriptions = [new("Vorne", "de"), new("In front", "en")];
        _fixture.Nodes.Apply(new NodeBatch()
            .AddNode(new NodeDefinition
            {
                NodeId = Node,
                NodeClass = NodeClass.Object,
                BrowseName = new QualifiedName("Door", 1),
                DisplayName = names[0],
                Description = descriptions[0],
                Texts = new NodeTexts(names, descriptions, []),
            })
            .AddReference(TestPlant.Folder, new NodeId(StandardIds.ReferenceTypes.Organizes), Node));
    }

    public void Dispose() => _fixture.Dispose();

    [Theory]
    [InlineData("Tür", "Vorne")]
    [InlineData("Door", "In front", "en")]
    [InlineData("Door", "In front", "EN-us")]
    [InlineData("Porte", "Vorne", "fr")]
    [InlineData("Porte", "In front", "fr-FR", "en")]
    [InlineData("Tür", "Vorne", "ja", "")]
    [InlineData("Tür", "Vorne", "ja", "de", "en")]
    public async Task Texts_OfANode_ComeInTheFirstLocaleThatIsThere(
        string name, string description, params string[] locales)
    {
        var client = await ConnectAsync(locales);
        Assert.Equal(name, (await ReadAsync(client, AttributeId.DisplayName)).Text);
        Assert.Equal(description, (await ReadAsync(client, AttributeId.Description)).Text);
        Assert.Equal(name, await BrowseAsync(client));
        Assert.Equal(name, await MonitorAsync(client));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task ActivateSession_WithoutLocales_KeepsThoseItHas(bool isNull)
    {
        var client = await ConnectAsync("en");
        await ActivateAsync(client, isNull ? null : []);
        Assert.Equal("Door", (await ReadAsync(client, AttributeId.DisplayName)).Text);
        await ActivateAsync(client, ["de"]);
        Assert.Equal("Tür", (await ReadAsync(client, AttributeId.DisplayName)).Text);
    }

    /// <summary>Events are in English, and say so: Part 4 §5.4 lets a server answer in a locale that it has.</summary>
    [Theory]
    [InlineData("de")]
    [InlineData("fr-FR", "de")]
    public async Task Texts_OfAnEvent_AreEnglishWhateverTheSessionAsksFor(params string[] locales)
    {
        var client = await ConnectAsync(locales);
        var message = await MonitorAsync(
            client,
            new ReadValueId
            {
                NodeId = new NodeId(StandardIds.Objects.Server),
                AttributeId = (uint)AttributeId.EventNotifier,
            },
            new ExtensionObject(new EventFilter
            {
                SelectClauses =
                [
                    new SimpleAttributeOperand
                    {
                        TypeDefinitionId = new NodeId(StandardIds.ObjectTypes.BaseEventType),
                        BrowsePath = [new QualifiedName("Message")],
                        AttributeId = (uint)AttributeId.Value,
                    },
                ],
            }),
            () => _fixture.Publishing.Events.Raise(_fixture.Publishing.Events.Maker.Make(
                StandardEvents.SystemEvent, default, "Server", "The door is open.", 100)));
        var told = ((EventNotificationList)message.NotificationData!.Single().Body!).Events!.Single();
        Assert.Equal(new LocalizedText("The door is open.", "en"), told.EventFields!.Single().AsLocalizedText());
    }

    private async Task<TestClient> ConnectAsync(params string[] locales)
    {
        var client = _fixture.Connect();
        await client.CreateSessionAsync();
        await ActivateAsync(client, locales);
        return client;
    }

    private static async Task ActivateAsync(TestClient client, string[]? locales)
    {
        var request = client.NewActivation();
        var response = await client.CallAsync<ActivateSessionResponse>(new ActivateSessionRequest
        {
            ClientSignature = request.ClientSignature,
            UserIdentityToken = request.UserIdentityToken,
            LocaleIds = locales,
        });
        client.ServerNonce = response.ServerNonce!;
    }

    private static async Task<LocalizedText> ReadAsync(TestClient client, AttributeId attribute)
    {
        var response = await client.CallAsync<ReadResponse>(new ReadRequest
        {
            NodesToRead = [new ReadValueId { NodeId = Node, AttributeId = (uint)attribute }],
        });
        return response.Results![0].Value.AsLocalizedText();
    }

    private static async Task<string?> BrowseAsync(TestClient client)
    {
        var response = await client.CallAsync<BrowseResponse>(new BrowseRequest
        {
            NodesToBrowse =
            [
                new BrowseDescription { NodeId = TestPlant.Folder, ResultMask = (uint)BrowseResultMask.DisplayName },
            ],
        });
        return response.Results![0].References!.Single(one => one.NodeId.NodeId == Node).DisplayName.Text;
    }

    private async Task<string?> MonitorAsync(TestClient client)
    {
        var message = await MonitorAsync(
            client, new ReadValueId { NodeId = Node, AttributeId = (uint)AttributeId.DisplayName });
        var data = (DataChangeNotification)message.NotificationData!.Single().Body!;
        return data.MonitoredItems!.Single().Value.Value.AsLocalizedText().Text;
    }

    /// <summary>The first message with a notification.</summary>
    private async Task<NotificationMessage> MonitorAsync(
        TestClient client, ReadValueId item, ExtensionObject filter = default, Action? then = null)
    {
        _fixture.Publishing.Start();
        var subscription = await client.CallAsync<CreateSubscriptionResponse>(new CreateSubscriptionRequest
        {
            RequestedPublishingInterval = 100,
            PublishingEnabled = true,
        });
        await client.CallAsync<CreateMonitoredItemsResponse>(new CreateMonitoredItemsRequest
        {
            SubscriptionId = subscription.SubscriptionId,
            ItemsToCreate =
            [
                new MonitoredItemCreateRequest
                {
                    ItemToMonitor = item,
                    MonitoringMode = MonitoringMode.Reporting,
                    RequestedParameters = new MonitoringParameters { QueueSize = 10, Filter = filter },
                },
            ],
        });
        then?.Invoke();
        while (true)
        {
            var request = client.Send(new PublishRequest());
            _fixture.Time.Advance(100);
            var (_, response) = await client.AnswerAsync<PublishResponse>(request);
            // An event may come behind the first keep-alive.
            if (response!.NotificationMessage is { NotificationData.Length: > 0 } message)
                return message;
        }
    }
}
