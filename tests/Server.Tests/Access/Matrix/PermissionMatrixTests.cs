using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Server.Tests.Support;
using Xunit.Abstractions;

namespace Gateway.Server.Tests.Access.Matrix;

/// <summary>R36: every kind of rule through every door, for every user and mode. No row may leak.</summary>
public sealed class PermissionMatrixTests : IDisposable
{
    private const Roles All = Roles.Observer | Roles.Operator | Roles.Engineer | Roles.SecurityAdmin;

    private readonly ITestOutputHelper _output;
    private readonly ServerFixture _fixture = new();
    private readonly Scoreboard _board = new();

    public PermissionMatrixTests(ITestOutputHelper output)
    {
        _output = output;
        _fixture.Users.AnonymousRoles = Roles.Observer;
        _fixture.Users.Users["root"] = All;
        RightsModel.Load(_fixture);
    }

    public void Dispose() => _fixture.Dispose();

    public static TheoryData<string, string> Callers
    {
        get
        {
            var data = new TheoryData<string, string>();
            foreach (var user in new[] { "anonymous", "observer", "operator", "engineer", "admin" })
            {
                foreach (var mode in new[] { "None", "Sign", "SignAndEncrypt" })
                    data.Add(user, mode);
            }

            return data;
        }
    }

    [Theory]
    [MemberData(nameof(Callers))]
    public async Task EveryDoor_EveryKind_IsAsTheTableSays(string user, string mode)
    {
        var client = await MatrixClient.ConnectAsync(_fixture, user, mode);
        var subscription = await client.SubscribeAsync();
        foreach (var kind in RightsModel.Kinds)
        {
            var expected = RightsTable.Of(kind, user, mode);
            await CheckAttributesAsync(client, kind, expected);
            await CheckBrowseAsync(client, kind, expected);
            await CheckItemsAsync(client, subscription, kind, expected);
            await CheckWriteAndCallAsync(client, kind, expected);
            if (!expected.IsSeen)
                await CheckNotThereAsync(client, subscription, kind);
        }

        _board.AssertClean(_output, $"{user} over {mode}");
    }

    [Theory]
    [MemberData(nameof(Callers))]
    public async Task ItemsOfAnotherUser_AfterAUserChange_KeepNothing(string user, string mode)
    {
        _fixture.Publishing.Start();
        var client = await MatrixClient.ConnectAsync(_fixture, "root", mode);
        var subscription = await client.SubscribeAsync();
        var trigger = await client.MonitorAsync(subscription, TestPlant.Int32, 1000);
        var items = new Dictionary<string, (uint Reporting, uint Triggered, uint Disabled)>();
        foreach (var kind in RightsModel.Kinds)
        {
            var node = RightsModel.Variable(_fixture, kind);
            var handle = Handle(kind);
            var reporting = await client.MonitorAsync(subscription, node, handle);
            if (reporting.StatusCode.IsBad)
                continue;
            var triggered = await client.MonitorAsync(
                subscription, node, handle + 100, mode: MonitoringMode.Sampling);
            var disabled = await client.MonitorAsync(
                subscription, node, handle + 200, mode: MonitoringMode.Disabled);
            await client.LinkAsync(subscription, trigger.MonitoredItemId, triggered.MonitoredItemId);
            items[kind] = (reporting.MonitoredItemId, triggered.MonitoredItemId, disabled.MonitoredItemId);
        }

        var (first, _) = await client.PublishAsync();
        await client.BecomeAsync(user);
        SetAll(99);
        foreach (var (kind, (reporting, _, disabled)) in items)
        {
            var status = RightsTable.ToItemStatus(RightsTable.Of(kind, user, mode).Read);
            _board.Check(
                "ModifyMonitoredItems after a user change", kind, status,
                await client.ModifyAsync(subscription, reporting, Handle(kind)));
            await client.SetModeAsync(subscription, disabled, MonitoringMode.Reporting);
        }

        var (_, values) = await client.PublishAsync();
        foreach (var kind in items.Keys)
            CheckNotified(kind, RightsTable.Of(kind, user, mode).Read, values);
        if (items.Keys.Any(kind => RightsTable.Of(kind, user, mode).Read != 'G'))
        {
            var again = await client.RepublishAsync(subscription, first);
            _board.Check<StatusCode>("Republish after a user change", "all", StatusCodes.BadMessageNotAvailable, again);
        }

        _board.AssertClean(_output, $"root, then {user} over {mode}");
    }

    private static uint Handle(string kind) => (uint)RightsModel.Kinds.ToList().IndexOf(kind) + 1;

    private void SetAll(int value)
    {
        foreach (var kind in RightsModel.Kinds)
            _fixture.Values.Set(
                _fixture.Find(RightsModel.Variable(_fixture, kind)), new DataValue(new Variant(value)));
        _fixture.Values.Set(_fixture.Find(TestPlant.Int32), new DataValue(new Variant(value)));
    }

    private void CheckNotified(string kind, char read, ILookup<uint, DataValue> values)
    {
        foreach (var (door, offset) in new[] { ("reporting", 0u), ("triggered", 100u), ("enabled later", 200u) })
        {
            var got = values[Handle(kind) + offset].ToList();
            var name = $"notification after a user change, {door}";
            if (read == 'G')
            {
                _board.Check(name, kind, 99, got.Count == 0 ? 0 : got[^1].Value.AsInt32());
                continue;
            }

            _board.Check(name, kind, true, got.TrueForAll(value => value.Value.IsNull));
            _board.Check(name, kind, true, got.TrueForAll(value => value.Status == RightsTable.ToStatus(read)));
        }
    }

    private async Task CheckAttributesAsync(MatrixClient client, string kind, RightsTable.Expected expected)
    {
        var variable = RightsModel.Variable(_fixture, kind);
        var value = await client.ReadAsync(variable, AttributeId.Value);
        _board.Check("Read Value", kind, RightsTable.ToStatus(expected.Read), value.Status);
        _board.Check("Read Value, its value", kind, expected.Read != 'G', value.Value.IsNull);
        foreach (var attribute in new[]
        {
            AttributeId.NodeId, AttributeId.BrowseName, AttributeId.DisplayName, AttributeId.DataType,
            AttributeId.AccessLevelEx, AttributeId.UserWriteMask, AttributeId.UserRolePermissions,
        })
        {
            var read = await client.ReadAsync(variable, attribute);
            _board.Check($"Read {attribute}", kind, RightsTable.ToStatus(expected.See), read.Status);
        }

        var permissions = await client.ReadAsync(variable, AttributeId.RolePermissions);
        _board.Check("Read RolePermissions", kind, RightsTable.ToStatus(expected.Permissions), permissions.Status);
        var level = await client.ReadAsync(variable, AttributeId.UserAccessLevel);
        var bits = (expected.Read == 'G' ? 1 : 0) | (expected.Write == 'G' ? 2 : 0);
        _board.Check("Read UserAccessLevel", kind, bits, level.Value.AsInt32());
        var executable = await client.ReadAsync(RightsModel.Method(_fixture, kind), AttributeId.UserExecutable);
        _board.Check("Read UserExecutable", kind, expected.Call == 'G', executable.Value.AsBoolean());
    }

    private async Task CheckBrowseAsync(MatrixClient client, string kind, RightsTable.Expected expected)
    {
        var (folder, variable) = (RightsModel.Folder(_fixture, kind), RightsModel.Variable(_fixture, kind));
        var parent = await client.BrowseAsync(folder);
        _board.Check(
            "Browse to the node", kind, expected.IsSeen,
            parent.References!.Any(reference => reference.NodeId.NodeId == variable));
        _board.Check(
            "BrowseNext to the node", kind, expected.IsSeen,
            (await client.BrowseStepByStepAsync(folder)).Contains(variable));
        var itself = await client.BrowseAsync(variable, BrowseDirection.Both);
        _board.Check("Browse from the node", kind, RightsTable.ToStatus(expected.See), itself.StatusCode);
        _board.Check(
            "TranslateBrowsePaths to the node", kind, RightsTable.ToStatus(expected.See, StatusCodes.BadNoMatch),
            await client.TranslateAsync(folder, new QualifiedName("V." + kind, folder.NamespaceIndex)));
        _board.Check(
            "TranslateBrowsePaths from the node", kind,
            expected.IsSeen ? StatusCodes.BadNoMatch : StatusCodes.BadNodeIdUnknown,
            (await client.TranslateAsync(variable, new QualifiedName("none"))).Code);
        _board.Check("RegisterNodes", kind, variable, await client.RegisterAsync(variable));
    }

    private async Task CheckItemsAsync(
        MatrixClient client, uint subscription, string kind, RightsTable.Expected expected)
    {
        var variable = RightsModel.Variable(_fixture, kind);
        var value = await client.MonitorAsync(subscription, variable, 1);
        _board.Check("CreateMonitoredItems Value", kind, RightsTable.ToItemStatus(expected.Read), value.StatusCode);
        var name = await client.MonitorAsync(subscription, variable, 2, AttributeId.DisplayName);
        _board.Check("CreateMonitoredItems DisplayName", kind, RightsTable.ToStatus(expected.See), name.StatusCode);
        var permissions = await client.MonitorAsync(subscription, variable, 3, AttributeId.RolePermissions);
        _board.Check(
            "CreateMonitoredItems RolePermissions", kind, RightsTable.ToItemStatus(expected.Permissions),
            permissions.StatusCode);
    }

    private async Task CheckWriteAndCallAsync(MatrixClient client, string kind, RightsTable.Expected expected)
    {
        var variable = RightsModel.Variable(_fixture, kind);
        var written = await client.WriteAsync(variable);
        _board.Check("Write Value", kind, RightsTable.ToStatus(expected.Write), written);
        var isWritten = _fixture.Values.Read(_fixture.Find(variable)).Value.AsInt32() != RightsModel.Value;
        _board.Check("Write Value, what was written", kind, expected.Write == 'G', isWritten);
        var attribute = await client.WriteAsync(variable, AttributeId.DisplayName);
        _board.Check(
            "Write DisplayName", kind, RightsTable.ToStatus(expected.IsSeen ? 'N' : 'U', expected.IsSeen
                ? StatusCodes.BadNotWritable
                : StatusCodes.BadNodeIdUnknown), attribute);
        var (on, method) = (RightsModel.Object(_fixture, kind), RightsModel.Method(_fixture, kind));
        var calls = _fixture.Source.Calls.Count;
        _board.Check("Call", kind, RightsTable.ToStatus(expected.Call), await client.CallAsync(on, method));
        _board.Check("Call, what was called", kind, expected.Call == 'G', _fixture.Source.Calls.Count > calls);
    }

    /// <summary>Requests that are wrong in themselves too: the answer is that to a NodeId that nobody has.</summary>
    private async Task CheckNotThereAsync(MatrixClient client, uint subscription, string kind)
    {
        var unknown = RightsModel.Unknown(_fixture);
        var (variable, method) = (RightsModel.Variable(_fixture, kind), RightsModel.Method(_fixture, kind));
        await SameAsync("Read, no such attribute", async node =>
            (await client.ReadAsync(node, (AttributeId)99)).Status);
        await SameAsync("Write, no such attribute", node => client.WriteAsync(node, (AttributeId)99));
        await SameAsync("Browse, no such direction", async node =>
            (await client.BrowseAsync(node, (BrowseDirection)9)).StatusCode);
        await SameAsync("Browse by it as reference type", async node =>
            (await client.BrowseAsync(RightsModel.Folder(_fixture, kind), type: node)).StatusCode);
        await SameAsync("Item, no such attribute", async node =>
            (await client.MonitorAsync(subscription, node, 1, (AttributeId)99)).StatusCode);
        await SameAsync("Item, no such mode", async node =>
            (await client.MonitorAsync(subscription, node, 1, mode: (MonitoringMode)9)).StatusCode);
        await SameAsync("Item, no such filter", async node => (await client.MonitorAsync(
            subscription, node, 1, filter: new ExtensionObject(new EventFilter()))).StatusCode);
        await SameAsync("Call on it", node => client.CallAsync(node, method));
        _board.Check(
            "Call of it", kind, await client.CallAsync(TestPlant.Methods, unknown),
            await client.CallAsync(TestPlant.Methods, method));

        async Task SameAsync(string door, Func<NodeId, Task<StatusCode>> ask) =>
            _board.Check("not there: " + door, kind, await ask(unknown), await ask(variable));
    }
}
