using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server.Tests.Support;
using Gateway.Transport.Security;

namespace Gateway.Server.Tests.Services;

public sealed class ViewServiceTests : IDisposable
{
    private const uint HierarchicalReferences = 33;
    private const uint Organizes = 35;
    private const uint HasComponent = 47;
    private static readonly NodeId Objects = new(85);

    private readonly ServerFixture _fixture = new();

    public void Dispose() => _fixture.Dispose();

    [Fact]
    public async Task Browse_Objects_DescribesThePlant()
    {
        var client = await _fixture.ConnectAsync();
        var result = await BrowseAsync(client, Description(Objects));
        var plant = result.References!.Single(reference => reference.NodeId.NodeId == TestPlant.Folder);
        Assert.Equal(new NodeId(Organizes), plant.ReferenceTypeId);
        Assert.True(plant.IsForward);
        Assert.Equal(new QualifiedName("Plant", 1), plant.BrowseName);
        Assert.Equal("Plant", plant.DisplayName.Text);
        Assert.Equal(NodeClass.Object, plant.NodeClass);
        Assert.Equal(new NodeId(61), plant.TypeDefinition.NodeId);
        Assert.Null(result.ContinuationPoint);
    }

    /// <summary>What its results hold counts for the request (R43).</summary>
    [Fact]
    public async Task TranslateBrowsePaths_MoreTargetsThanARequestMayHold_TheRestIsRefused()
    {
        using var fixture = new ServerFixture(options => options with
        {
            Limits = options.Limits with { MaxDecodedBytesPerRequest = 200_000 },
        });
        var client = await fixture.ConnectAsync();
        var path = new BrowsePath
        {
            StartingNode = TestPlant.Folder,
            RelativePath = new RelativePath { Elements = [new RelativePathElement { IncludeSubtypes = true }] },
        };

        var response = await client.CallAsync<TranslateBrowsePathsToNodeIdsResponse>(
            new TranslateBrowsePathsToNodeIdsRequest { BrowsePaths = [.. Enumerable.Repeat(path, 400)] });

        var good = response.Results!.TakeWhile(result => result.StatusCode.IsGood).ToArray();
        Assert.InRange(good.Length, 1, 399);
        Assert.All(
            response.Results![good.Length..],
            result => Assert.Equal(StatusCodes.BadResponseTooLarge, result.StatusCode.Code));
    }

    [Theory]
    [InlineData(BrowseDirection.Forward, true, false)]
    [InlineData(BrowseDirection.Inverse, false, true)]
    [InlineData(BrowseDirection.Both, true, true)]
    public async Task Browse_Direction_IsHonoured(BrowseDirection direction, bool forward, bool inverse)
    {
        var client = await _fixture.ConnectAsync();
        var result = await BrowseAsync(client, Description(TestPlant.Folder) with { BrowseDirection = direction });
        Assert.Equal(forward, result.References!.Any(reference => reference.IsForward));
        Assert.Equal(inverse, result.References!.Any(reference => !reference.IsForward));
    }

    [Theory]
    [InlineData(HierarchicalReferences, true, true)]
    [InlineData(HierarchicalReferences, false, false)]
    [InlineData(HasComponent, false, true)]
    [InlineData(0u, false, true)]
    public async Task Browse_ReferenceType_WithAndWithoutSubtypes(uint type, bool subtypes, bool found)
    {
        var client = await _fixture.ConnectAsync();
        var result = await BrowseAsync(client, Description(TestPlant.Folder) with
        {
            ReferenceTypeId = new NodeId(type),
            IncludeSubtypes = subtypes,
        });
        Assert.Equal(found, result.References!.Any(reference => reference.NodeId.NodeId == TestPlant.Int32));
    }

    [Fact]
    public async Task Browse_NodeClassMask_Filters()
    {
        var client = await _fixture.ConnectAsync();
        var result = await BrowseAsync(
            client, Description(TestPlant.Folder) with { NodeClassMask = (uint)NodeClass.Object });
        Assert.NotEmpty(result.References!);
        Assert.All(result.References!, reference => Assert.Equal(NodeClass.Object, reference.NodeClass));
    }

    [Fact]
    public async Task Browse_EmptyResultMask_OnlyTheNodeId()
    {
        var client = await _fixture.ConnectAsync();
        var result = await BrowseAsync(client, Description(Objects) with { ResultMask = 0 });
        Assert.All(result.References!, reference => Assert.Equal(
            new ReferenceDescription { NodeId = reference.NodeId }, reference));
    }

    [Fact]
    public async Task Browse_NoMaximumAsked_AnswersOfMaxReferencesPerNode()
    {
        using var fixture = new ServerFixture(static options => options with
        {
            Limits = options.Limits with { MaxReferencesPerNode = 3 },
        });
        var client = await fixture.ConnectAsync();

        var first = await BrowseAsync(client, Description(Objects));
        var next = await NextAsync(client, first.ContinuationPoint);

        Assert.Equal(3, first.References!.Length);
        Assert.NotEmpty(next.References!);
    }

    /// <summary>Looked at, whether they are returned or not: each node gets its part, and the rest by its continuation
    /// point.</summary>
    [Fact]
    public async Task Browse_MoreThanMaxReferencesPerCall_TheRestByContinuationPoints()
    {
        using var fixture = new ServerFixture(static options => options with
        {
            Limits = options.Limits with { MaxReferencesPerCall = 3 },
        });
        var client = await fixture.ConnectAsync();
        var whole = await BrowseAsync(await _fixture.ConnectAsync(), Description(Objects));

        var part = await BrowseAsync(client, Description(Objects));
        var seen = part.References!.ToList();
        while (part.ContinuationPoint is { } point)
        {
            part = await NextAsync(client, point);
            Assert.InRange(part.References!.Length, 0, 3);
            seen.AddRange(part.References);
        }

        Assert.True(whole.References!.Length > 3);
        Assert.Equal(whole.References, seen);
    }

    [Fact]
    public async Task Browse_BadOperations_HaveTheirCodes()
    {
        var client = await _fixture.ConnectAsync();
        Assert.Equal(
            StatusCodes.BadNodeIdUnknown, (await BrowseAsync(client, Description(new NodeId("no", 1)))).StatusCode);
        Assert.Equal(StatusCodes.BadNodeIdUnknown, (await BrowseAsync(client, default)).StatusCode);
        Assert.Equal(
            StatusCodes.BadBrowseDirectionInvalid,
            (await BrowseAsync(client, Description(Objects) with { BrowseDirection = (BrowseDirection)3 })).StatusCode);
        Assert.Equal(
            StatusCodes.BadReferenceTypeIdInvalid,
            (await BrowseAsync(client, Description(Objects) with { ReferenceTypeId = Objects })).StatusCode);
    }

    [Fact]
    public async Task Browse_BadRequests_AreFaults()
    {
        var client = await _fixture.ConnectAsync();
        Assert.Equal(StatusCodes.BadNothingToDo, await client.FaultAsync(new BrowseRequest()));
        var view = new BrowseRequest
        {
            View = new ViewDescription { ViewId = Objects },
            NodesToBrowse = [Description(Objects)],
        };
        Assert.Equal(StatusCodes.BadViewIdUnknown, await client.FaultAsync(view));
        var many = new BrowseRequest
        {
            NodesToBrowse = new BrowseDescription[_fixture.Options.Limits.MaxNodesPerBrowse + 1],
        };
        Assert.Equal(StatusCodes.BadTooManyOperations, await client.FaultAsync(many));
    }

    [Fact]
    public async Task BrowseNext_UntilTheEnd_FindsEachOnce()
    {
        var client = await _fixture.ConnectAsync();
        var result = await BrowseAsync(client, Forward(TestPlant.Many), maximum: 60);
        var found = new List<NodeId>();
        while (true)
        {
            Assert.True(result.References!.Length <= 60);
            found.AddRange(result.References.Select(reference => reference.NodeId.NodeId));
            if (result.ContinuationPoint is null)
                break;
            result = await NextAsync(client, result.ContinuationPoint);
        }

        Assert.Equal(TestPlant.ManyCount, found.Count);
        Assert.Equal(TestPlant.ManyCount, found.Distinct().Count());
    }

    [Fact]
    public async Task Browse_ExactlyTheMaximum_NoContinuationPoint()
    {
        var client = await _fixture.ConnectAsync();
        var result = await BrowseAsync(client, Forward(TestPlant.Many), TestPlant.ManyCount);
        Assert.Equal(TestPlant.ManyCount, result.References!.Length);
        Assert.Null(result.ContinuationPoint);
    }

    [Fact]
    public async Task BrowseNext_UsedForgedOrForeignPoint_BadContinuationPointInvalid()
    {
        var client = await _fixture.ConnectAsync();
        var other = await _fixture.ConnectAsync();
        var point = (await BrowseAsync(client, Forward(TestPlant.Many), 10)).ContinuationPoint!;
        Assert.Equal(StatusCodes.BadContinuationPointInvalid, (await NextAsync(other, point)).StatusCode);
        Assert.Equal(StatusCodes.BadContinuationPointInvalid, (await NextAsync(client, new byte[16])).StatusCode);
        Assert.Equal(StatusCodes.BadContinuationPointInvalid, (await NextAsync(client, null)).StatusCode);
        Assert.True((await NextAsync(client, point)).StatusCode.IsGood);
        Assert.Equal(StatusCodes.BadContinuationPointInvalid, (await NextAsync(client, point)).StatusCode);
    }

    [Fact]
    public async Task BrowseNext_Release_FreesThePoint()
    {
        var client = await _fixture.ConnectAsync();
        var point = (await BrowseAsync(client, Forward(TestPlant.Many), 10)).ContinuationPoint!;
        var released = await client.CallAsync<BrowseNextResponse>(
            new BrowseNextRequest { ReleaseContinuationPoints = true, ContinuationPoints = [point] });
        Assert.Empty(released.Results!);
        Assert.Empty(released.DiagnosticInfos ?? []);
        Assert.Equal(StatusCodes.BadContinuationPointInvalid, (await NextAsync(client, point)).StatusCode);
    }

    [Fact]
    public async Task Browse_MorePointsThanAllowed_BadNoContinuationPoints()
    {
        var client = await _fixture.ConnectAsync();
        var limit = _fixture.Options.Limits.MaxBrowseContinuationPoints;
        var response = await client.CallAsync<BrowseResponse>(new BrowseRequest
        {
            RequestedMaxReferencesPerNode = 1,
            NodesToBrowse = [.. Enumerable.Repeat(Forward(TestPlant.Many), limit + 1)],
        });
        Assert.Equal(limit, response.Results!.Count(result => result.ContinuationPoint is not null));
        Assert.Equal(StatusCodes.BadNoContinuationPoints, response.Results![limit].StatusCode);
    }

    [Fact]
    public async Task Browse_EarlierPointsAbandoned_TheOldestMakesRoom()
    {
        var client = await _fixture.ConnectAsync();
        var limit = _fixture.Options.Limits.MaxBrowseContinuationPoints;
        var points = new List<byte[]>();
        for (var i = 0; i < limit + 2; i++)
        {
            var result = await BrowseAsync(client, Forward(TestPlant.Many), 1);
            Assert.Equal(StatusCode.Good, result.StatusCode);
            points.Add(result.ContinuationPoint!);
        }

        Assert.Equal(StatusCodes.BadContinuationPointInvalid, (await NextAsync(client, points[0])).StatusCode);
        Assert.Equal(StatusCodes.BadContinuationPointInvalid, (await NextAsync(client, points[1])).StatusCode);
        foreach (var point in points.Skip(2))
            Assert.True((await NextAsync(client, point)).StatusCode.IsGood);
    }

    [Fact]
    public async Task BrowseNext_AsManyPointsAsAllowed_NoneIsLost()
    {
        var client = await _fixture.ConnectAsync();
        var limit = _fixture.Options.Limits.MaxBrowseContinuationPoints;
        var first = await client.CallAsync<BrowseResponse>(new BrowseRequest
        {
            RequestedMaxReferencesPerNode = 1,
            NodesToBrowse = [.. Enumerable.Repeat(Forward(TestPlant.Many), limit)],
        });
        var points = first.Results!.Select(result => result.ContinuationPoint);
        for (var i = 0; i < 3; i++)
        {
            var next = await client.CallAsync<BrowseNextResponse>(
                new BrowseNextRequest { ContinuationPoints = [.. points] });
            Assert.All(next.Results!, result => Assert.NotNull(result.ContinuationPoint));
            points = next.Results!.Select(result => result.ContinuationPoint);
        }
    }

    [Fact]
    public async Task Browse_OfAView_IsRefusedBecauseNoneRestricts()
    {
        var view = new NodeId("View", 1);
        _fixture.Nodes.Apply(new NodeBatch().AddNode(new NodeDefinition
        {
            NodeId = view,
            NodeClass = NodeClass.View,
            BrowseName = new QualifiedName("View", 1),
        }));
        var client = await _fixture.ConnectAsync();
        var fault = await client.FaultAsync(new BrowseRequest
        {
            View = new ViewDescription { ViewId = view },
            NodesToBrowse = [Description(Objects)],
        });
        Assert.Equal(StatusCodes.BadViewIdUnknown, fault);
    }

    [Fact]
    public async Task Translate_Path_FindsTheNode()
    {
        var client = await _fixture.ConnectAsync();
        var result = await TranslateAsync(client, Objects, Step("Plant", 1), Step("Methods", 1), Step("Add", 1));
        var target = result.Targets!.Single();
        Assert.Equal(TestPlant.Add, target.TargetId.NodeId);
        Assert.Equal(uint.MaxValue, target.RemainingPathIndex);
    }

    [Fact]
    public async Task Translate_InverseAndLastNameOmitted_Works()
    {
        var client = await _fixture.ConnectAsync();
        var up = await TranslateAsync(client, TestPlant.Folder, Step("Objects", 0) with { IsInverse = true });
        Assert.Equal(Objects, up.Targets!.Single().TargetId.NodeId);
        var all = await TranslateAsync(client, TestPlant.Many, Step(null, 0));
        Assert.Equal(TestPlant.ManyCount, all.Targets!.Length);
    }

    [Fact]
    public async Task Translate_BadPaths_HaveTheirCodes()
    {
        var client = await _fixture.ConnectAsync();
        Assert.Equal(StatusCodes.BadNoMatch, (await TranslateAsync(client, Objects, Step("No", 1))).StatusCode);
        Assert.Equal(StatusCodes.BadNoMatch, (await TranslateAsync(client, Objects, Step("Plant", 0))).StatusCode);
        Assert.Equal(StatusCodes.BadNothingToDo, (await TranslateAsync(client, Objects)).StatusCode);
        Assert.Equal(
            StatusCodes.BadNodeIdUnknown, (await TranslateAsync(client, new NodeId("no", 1), Step("x", 0))).StatusCode);
        Assert.Equal(
            StatusCodes.BadNodeIdInvalid, (await TranslateAsync(client, NodeId.Null, Step("x", 0))).StatusCode);
        Assert.Equal(
            StatusCodes.BadBrowseNameInvalid,
            (await TranslateAsync(client, Objects, Step(null, 0), Step("x", 0))).StatusCode);
        Assert.Equal(
            StatusCodes.BadReferenceTypeIdInvalid,
            (await TranslateAsync(client, Objects, Step("x", 0) with { ReferenceTypeId = Objects })).StatusCode);
        var noPath = await client.CallAsync<TranslateBrowsePathsToNodeIdsResponse>(
            new TranslateBrowsePathsToNodeIdsRequest { BrowsePaths = [new BrowsePath { StartingNode = Objects }] });
        Assert.Equal(StatusCodes.BadNothingToDo, noPath.Results![0].StatusCode);
    }

    [Fact]
    public async Task Translate_TooWide_BadQueryTooComplex()
    {
        using var fixture = new ServerFixture(
            options => options with { Limits = options.Limits with { MaxNodesPerBrowsePath = 100 } });
        var client = await fixture.ConnectAsync();
        var result = await TranslateAsync(client, TestPlant.Many, Step("Many1", 1));
        Assert.Equal(StatusCodes.BadQueryTooComplex, result.StatusCode);
    }

    [Fact]
    public async Task RegisterNodes_Any_ComeBackUnchanged()
    {
        var client = await _fixture.ConnectAsync();
        NodeId[] ids = [TestPlant.Int32, Objects];
        var response = await client.CallAsync<RegisterNodesResponse>(
            new RegisterNodesRequest { NodesToRegister = ids });
        Assert.Equal(ids, response.RegisteredNodeIds);
        await client.CallAsync<UnregisterNodesResponse>(new UnregisterNodesRequest { NodesToUnregister = ids });
        Assert.Equal(StatusCodes.BadNothingToDo, await client.FaultAsync(new RegisterNodesRequest()));
        Assert.Equal(StatusCodes.BadNothingToDo, await client.FaultAsync(new UnregisterNodesRequest()));
    }

    [Fact]
    public async Task HiddenNode_EveryDoor_IsUnknown()
    {
        _fixture.SetRights(
            TestPlant.Int32, null,
            (StandardIds.Objects.WellKnownRole_SecurityAdmin, PermissionType.Browse | PermissionType.Read));
        var client = await _fixture.ConnectAsync("engineer");
        var admin = await _fixture.ConnectAsync("admin", SecurityPolicies.Basic256Sha256);

        Assert.DoesNotContain(
            (await BrowseAsync(client, Description(TestPlant.Folder))).References!,
            reference => reference.NodeId.NodeId == TestPlant.Int32);
        Assert.Contains(
            (await BrowseAsync(admin, Description(TestPlant.Folder))).References!,
            reference => reference.NodeId.NodeId == TestPlant.Int32);
        Assert.Equal(
            StatusCodes.BadNodeIdUnknown, (await BrowseAsync(client, Description(TestPlant.Int32))).StatusCode);
        Assert.Equal(
            StatusCodes.BadNoMatch, (await TranslateAsync(client, TestPlant.Folder, Step("Int32", 1))).StatusCode);
        foreach (var attribute in new[] { AttributeId.Value, AttributeId.BrowseName })
        {
            var read = await client.CallAsync<ReadResponse>(new ReadRequest
            {
                NodesToRead = [new ReadValueId { NodeId = TestPlant.Int32, AttributeId = (uint)attribute }],
            });
            Assert.Equal(StatusCodes.BadNodeIdUnknown, read.Results![0].Status);
        }

        var write = await client.CallAsync<WriteResponse>(new WriteRequest
        {
            NodesToWrite = [new WriteValue { NodeId = TestPlant.Int32, AttributeId = 13 }],
        });
        Assert.Equal(StatusCodes.BadNodeIdUnknown, write.Results![0]);
        Assert.Equal(StatusCodes.BadNodeIdUnknown, await MonitorAsync(client));
        Assert.Equal(StatusCodes.Good, await MonitorAsync(admin));
    }

    private static async Task<StatusCode> MonitorAsync(TestClient client)
    {
        var subscription = await client.CallAsync<CreateSubscriptionResponse>(
            new CreateSubscriptionRequest { RequestedPublishingInterval = 1000 });
        var items = await client.CallAsync<CreateMonitoredItemsResponse>(new CreateMonitoredItemsRequest
        {
            SubscriptionId = subscription.SubscriptionId,
            ItemsToCreate =
            [
                new MonitoredItemCreateRequest
                {
                    ItemToMonitor = new ReadValueId { NodeId = TestPlant.Int32, AttributeId = 13 },
                    MonitoringMode = MonitoringMode.Reporting,
                },
            ],
        });
        return items.Results![0].StatusCode;
    }

    private static BrowseDescription Description(NodeId node) => new()
    {
        NodeId = node,
        BrowseDirection = BrowseDirection.Both,
        ReferenceTypeId = new NodeId(HierarchicalReferences),
        IncludeSubtypes = true,
        ResultMask = (uint)BrowseResultMask.All,
    };

    private static BrowseDescription Forward(NodeId node) =>
        Description(node) with { BrowseDirection = BrowseDirection.Forward };

    private static RelativePathElement Step(string? name, ushort index) => new()
    {
        ReferenceTypeId = new NodeId(HierarchicalReferences),
        IncludeSubtypes = true,
        TargetName = new QualifiedName(name, index),
    };

    private static async Task<BrowseResult> BrowseAsync(
        TestClient client, BrowseDescription description, uint maximum = 0)
    {
        var response = await client.CallAsync<BrowseResponse>(
            new BrowseRequest { NodesToBrowse = [description], RequestedMaxReferencesPerNode = maximum });
        return response.Results!.Single();
    }

    private static async Task<BrowseResult> NextAsync(TestClient client, byte[]? point)
    {
        var response = await client.CallAsync<BrowseNextResponse>(
            new BrowseNextRequest { ContinuationPoints = [point] });
        return response.Results!.Single();
    }

    private static async Task<BrowsePathResult> TranslateAsync(
        TestClient client, NodeId start, params RelativePathElement[] elements)
    {
        var response = await client.CallAsync<TranslateBrowsePathsToNodeIdsResponse>(
            new TranslateBrowsePathsToNodeIdsRequest
            {
                BrowsePaths =
                [
                    new BrowsePath { StartingNode = start, RelativePath = new RelativePath { Elements = elements } },
                ],
            });
        return response.Results!.Single();
    }
}
