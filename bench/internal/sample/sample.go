// Package sample has the texts that the benchmarks encode.
package sample

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Diagram is a sequence diagram of 1 KB as a person would write it.
const Diagram = `@startuml
title Order
autonumber
actor Customer
participant "Web shop" as Shop
participant Inventory
participant Payment
database Orders

Customer -> Shop : add items to the basket
Customer -> Shop : check out
activate Shop
Shop -> Inventory : reserve items
activate Inventory
alt all items are in stock
  Inventory --> Shop : reservation 4711
  Shop -> Payment : charge the card
  activate Payment
  alt card accepted
    Payment --> Shop : receipt
    Shop -> Orders : store order, receipt
    Orders --> Shop : order number
    Shop --> Customer : confirmation and tracking link
  else card refused
    Payment --> Shop : reason
    deactivate Payment
    Shop -> Inventory : release the reservation
    Shop --> Customer : ask for another card
  end
else something is missing
  Inventory --> Shop : what is missing, until when
  deactivate Inventory
  Shop --> Customer : offer later delivery
end
deactivate Shop
note over Customer, Shop
  The basket is kept for 30 days,
  so that nobody starts again.
end note
@enduml
`

// Corpus reads the .puml files of a folder; none when there is no such folder.
func Corpus(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the corpus: %w", err)
	}
	var texts []string
	for _, e := range entries {
		if filepath.Ext(e.Name()) != ".puml" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, fmt.Errorf("reading the corpus: %w", err)
		}
		texts = append(texts, string(text))
	}
	return texts, nil
}

// Size is the length of all texts together.
func Size(texts []string) int {
	n := 0
	for _, t := range texts {
		n += len(t)
	}
	return n
}
