using System.Text;
using Gateway.NodeSetCompiler;

if (args.Length != 2)
{
    Console.Error.WriteLine("usage: NodeSetCompiler <Opc.Ua.NodeSet2.xml> <StandardNodes.txt>");
    return 2;
}

// The same bytes on every machine: LF, no BOM.
await using var output = new StreamWriter(args[1], append: false, new UTF8Encoding(false)) { NewLine = "\n" };
StandardTable.Write(args[0], output);
return 0;
